import AtelierClient
import Glibc
import Hummingbird
import NIOCore
import POSIX
import Synchronization

/// The web host: what all its requests share. ``run(started:)`` serves until its task is cancelled.
public final class WebHost: Sendable {
  let options: HostOptions
  let surroundings: Surroundings
  let services: Services
  let watches = Watches()
  let leaflet: Leaflet
  let headers: ResponseHeaders
  let link: OneTimeLink
  /// At most so many photos are in memory at a time, on their way to the service.
  let uploadsInMemory = Turns(4)
  /// How many event streams are open.
  let streams = Counter()
  /// Set once the port is known, before the first request is admitted.
  private let address: Mutex<Address?> = Mutex(nil)

  /// What depends on the port.
  struct Address: Sendable {
    var port: Int
    var cookies: SessionCookies
    var guardian: RequestGuard
  }

  public init(_ options: HostOptions, _ surroundings: Surroundings) {
    self.options = options
    self.surroundings = surroundings
    services = Services(options.service)
    leaflet = Leaflet(in: options.leafletDirectory)
    headers = ResponseHeaders(tileOrigin: options.map?.origin)
    link = OneTimeLink(random: surroundings.random(32))
  }

  /// Listens, and serves until the task is cancelled.
  /// - Parameter started: is told the link for the first browser once requests can come.
  /// - Throws: why it cannot listen, or keep its state.
  public func run(started: @escaping @Sendable (_ link: String) -> Void) async throws {
    let path = "\(options.stateDirectory)/web.json"
    let random = surroundings.random(32)
    let state = try await LazyThreadPool.hostFiles.run { [options] in
      try FileSystem.makeDirectories(options.stateDirectory)
      return try HostState.read(path, random: random)
    }
    let serve = { (host: String, port: Int, isFirst: Bool) in
      try await Server.run(self, host: host, port: port) { port in
        guard isFirst else { return }
        self.listens(on: port, state)
        let kept = HostState(port: port, key: state.key)
        if kept != state { try? await LazyThreadPool.hostFiles.run { try kept.write(path) } }
        started("http://127.0.0.1:\(port)/#\(self.link.secret)")
      }
    }
    do {
      try await serve("127.0.0.1", options.port ?? state.port ?? 0, true)
    } catch let error as IOError where options.port == nil && state.port != nil && error.errnoCode == EADDRINUSE {
      // Somebody else has taken the port of the last start.
      try await serve("127.0.0.1", 0, true)
    }
  }

  private func listens(on port: Int, _ state: HostState) {
    let names = ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"]
    let known = Address(
      port: port, cookies: SessionCookies(port: port, key: state.key, isSecure: false),
      guardian: RequestGuard(hosts: Set(names), origins: Set(names.map { "http://\($0)" })))
    address.withLock { $0 = known }
  }

  /// Ends the services. What was begun for people goes on as far as it can.
  public func close() async { await services.close() }

  var present: Address {
    get throws(WebError) {
      guard let present = address.withLock({ $0 }) else { throw .notFound }
      return present
    }
  }

  /// The session that a request proves; nil if none.
  func session(of request: Request) -> Session? {
    let seconds = surroundings.now().milliseconds / 1000
    return (try? present)?.cookies.session(inHeader: request.headers[.cookie], now: seconds)
  }
}

/// A number that several tasks change.
final class Counter: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .relaxed) }
  func add(_ step: Int) { number.add(step, ordering: .relaxed) }
}

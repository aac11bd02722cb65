import AtelierClient
import Glibc
import JSON
import NIOCore
import POSIX
import ServiceLifecycle
import Synchronization

/// The web host: what all its requests share. ``run(started:)`` serves until its task is cancelled.
public final class WebHost: Sendable {
  let options: HostOptions
  let surroundings: Surroundings
  let services: Services
  /// What only the operator may: granting what was paid, and metrics. A connection of its own, on which nothing of others is
  /// passed on.
  let operatorServices: Services
  let watches = Watches()
  let bearers = Bearers()
  let standings = Standings()
  let limits: RequestLimits
  let leaflet: Leaflet
  let headers: ResponseHeaders
  /// The secret of the personal way.
  let link: OneTimeLink
  /// At most so many photos are in memory at a time, on their way to the service.
  let uploadsInMemory = Turns(4)
  let connections: Connections
  /// Those who only ask find a connection, however many look on.
  let streams: OpenStreams
  let counters = Counters()
  /// Set once the port is known, before the first request is admitted.
  private let address: Mutex<Address?> = Mutex(nil)

  /// What depends on where the host listens.
  struct Address: Sendable {
    /// The port in the name of the cookies; nil for none.
    var port: Int?
    var isSecure: Bool
    var keys: SecretFile
    var guardian: RequestGuard

    /// The cookies that are signed with a secret of `keys`.
    func cookies(_ keys: [[UInt8]]) -> SessionCookies { SessionCookies(port: port, keys: keys, isSecure: isSecure) }
  }

  public init(_ options: HostOptions, _ surroundings: Surroundings) {
    self.options = options
    self.surroundings = surroundings
    var service = options.service
    service.restart = true
    // What was begun for people goes on without the host, and is found again.
    service.endsWithProgram = false
    if let places = options.places { service.locationSearch = { places.places(for: $0.query) } }
    if options.shop != nil { (service.confined, service.multiAccount) = (true, true) }
    services = Services(service)
    service.confined = false
    service.trusted = true
    operatorServices = Services(service)
    limits = RequestLimits(options.shop?.limits ?? AddressLimits())
    leaflet = Leaflet(in: options.leafletDirectory)
    headers = ResponseHeaders(tileOrigin: options.map?.origin, isSecure: options.shop?.origin.isSecure ?? false)
    connections = Connections(most: Connections.most(wanted: options.connections, openFiles: surroundings.openFiles))
    streams = OpenStreams(most: max(1, connections.most / 2))
    link = OneTimeLink(random: surroundings.random(32))
  }

  /// JSON as the people of this host may be told it.
  func told(_ json: JSONValue) -> JSONValue { options.shop == nil ? json : Params.forCustomers(json) }

  /// What listens, and can be told to stop.
  let stopping = Mutex<[ServiceGroup]>([])

  /// Accepts nothing more; what is in flight may still be answered.
  public func stop() {
    let groups = stopping.withLock { $0 }
    Task { for group in groups { await group.triggerGracefulShutdown() } }
  }

  var present: Address {
    get throws(WebError) {
      guard let present = address.withLock({ $0 }) else { throw .notFound }
      return present
    }
  }

  /// Listens, and serves until the task is cancelled.
  /// - Parameter started: is told the address for browsers once requests can come: of the personal way, the link for the
  ///   first one.
  /// - Throws: why it cannot listen, or keep its state.
  public func run(started: @escaping @Sendable (_ address: String) -> Void) async throws {
    // What cannot be started is said now, and not to each person who comes.
    try await options.check(try await services.studio(options.language))
    if connections.most < options.connections {
      options.log(
        "Only \(connections.most) connections are served at a time, because the system allows this process "
          + "\(surroundings.openFiles ?? 0) open files (ulimit -n).")
    }
    if let shop = options.shop {
      let guardian = RequestGuard(hosts: [shop.origin.host], origins: [shop.origin.text])
      listens(Address(port: nil, isSecure: shop.origin.isSecure, keys: shop.sessionKeys, guardian: guardian))
      return try await Server.run(self, host: shop.address, port: shop.port) { _ in started(shop.origin.text) }
    }
    try await runPersonally(started: started)
  }

  private func runPersonally(started: @escaping @Sendable (_ address: String) -> Void) async throws {
    let path = "\(options.stateDirectory)/web.json"
    let random = surroundings.random(32)
    let state = try await LazyThreadPool.hostFiles.run { [options] in
      if let folder = options.service.dataDirectory, try FileStatus(path: folder)?.isDirectory == true,
        try FileSystem.names(in: folder).isEmpty
      {
        // The service takes an empty folder over in the same way; one with our state in it would be none.
        try FileSystem.narrow(folder, to: 0o700)
      }
      try FileSystem.makeDirectories(options.stateDirectory)
      return try HostState.read(path, random: random)
    }
    let serve = { @Sendable [self] (port: Int, remembers: Bool) in
      try await withThrowingTaskGroup { group in
        let (ports, found) = AsyncStream.makeStream(of: Int.self)
        group.addTask {
          try await Server.run(self, host: "127.0.0.1", port: port) { found.yield($0) }
        }
        group.addTask {
          for await port in ports {
            let names = ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"]
            let guardian = RequestGuard(hosts: Set(names), origins: Set(names.map { "http://\($0)" }))
            let key = SecretFile(constant: state.key)
            self.listens(Address(port: port, isSecure: false, keys: key, guardian: guardian))
            let kept = HostState(port: port, key: state.key)
            if kept != state, remembers {
              do {
                try await LazyThreadPool.hostFiles.run { try kept.write(path) }
              } catch {
                self.options.log("The port and the cookies cannot be kept for the next start: \(path)")
              }
            }
            started("http://127.0.0.1:\(port)/#\(self.link.secret)")
            // Where there is no IPv6, the other address is enough.
            try? await Server.run(self, host: "::1", port: port) { _ in }
          }
        }
        // Ends when the first one does.
        defer { group.cancelAll() }
        try await group.next()
      }
    }
    do {
      try await serve(options.port ?? state.port ?? 0, true)
    } catch let error as IOError where options.port == nil && state.port != nil && error.errnoCode == EADDRINUSE {
      // Somebody else has taken the port of the last start, perhaps another host of the same history: it stays theirs.
      try await serve(0, false)
    }
  }

  private func listens(_ known: Address) { address.withLock { $0 = known } }

  /// The cookies as they are signed now.
  var cookies: SessionCookies {
    get async throws {
      let present = try present
      return present.cookies(try await present.keys.all())
    }
  }

  /// Ends the services. What was begun for people goes on as far as it can.
  public func close() async {
    await services.close()
    await operatorServices.close()
  }
}

import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A server on 127.0.0.1 that answers as Google's Gemini API does, as OpenAI's Images and Chat Completions APIs, and as the
/// geocoder Nominatim, strictly and by a script.
///
/// For tests: every wait is for an event, never for time. A server that is not stopped goes on until the process ends.
public final class GeminiSimulator: Sendable {
  /// The port it listens on.
  public let port: Int
  private let responder: Responder
  private let group: MultiThreadedEventLoopGroup
  private let listener: any Channel
  private let stopping = Mutex<Task<Void, Never>?>(nil)

  /// Starts a server; it takes requests when this returns.
  /// - Throws: an error of the operating system, such as a port that is taken.
  public static func start(_ options: SimulatorOptions = SimulatorOptions()) async throws -> GeminiSimulator {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, options.threads))
    let responder = Responder(options: options)
    do {
      let listener = try await bootstrap(group, responder).bind(host: "127.0.0.1", port: options.port).get()
      return GeminiSimulator(listener, responder, group)
    } catch {
      try? await group.shutdownGracefully()
      throw error
    }
  }

  private init(_ listener: any Channel, _ responder: Responder, _ group: MultiThreadedEventLoopGroup) {
    (self.listener, self.responder, self.group) = (listener, responder, group)
    port = listener.localAddress?.port ?? responder.options.port
  }

  private static func bootstrap(_ group: MultiThreadedEventLoopGroup, _ responder: Responder) -> ServerBootstrap {
    ServerBootstrap(group: group)
      // The system lowers it to its own limit (SOMAXCONN).
      .serverChannelOption(.backlog, value: 4096)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(makeDecoder())
          try pipeline.addHandler(HTTPConnectionHandler(responder: responder))
        }
      }
  }

  /// Makes what reads HTTP from a connection.
  ///
  /// A lazy `static`, so that one thread alone is the first to use the type. When two are, the runtime of Swift 6.3 can
  /// crash: it looks for a conformance in the superclass of a class that the other thread has not completed.
  private static let makeDecoder: @Sendable () -> any ChannelHandler = {
    let make: @Sendable () -> any ChannelHandler = {
      ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes))
    }
    _ = make()
    return make
  }()

  /// `http://127.0.0.1:PORT`, without a slash at the end.
  public var baseURL: String { "http://127.0.0.1:\(port)" }

  /// Closes every connection and ends the threads; called again, only waits for that. Waits for requests throw
  /// `CancellationError`.
  public func stop() async {
    let task = stopping.withLock { stopping in
      let task = stopping ?? Task {
        try? await listener.close()
        responder.stop()
        try? await group.shutdownGracefully()
      }
      stopping = task
      return task
    }
    await task.value
  }

  // MARK: Scenario

  /// The next requests for pictures meet these steps, after those that are waiting already.
  public func enqueue(_ steps: ScenarioStep...) { responder.scenario.append(steps) }

  /// The next requests for pictures meet these faults, after the steps that are waiting already.
  public func enqueue(_ faults: Fault...) { responder.scenario.append(faults.map { ScenarioStep($0) }) }

  /// What requests for pictures meet when no step is waiting.
  public func always(_ step: ScenarioStep) { responder.scenario.setAlways(step) }

  /// Lets a request go on that `hold` or `hold-mid-body` stops, or will stop.
  public func release(_ request: Int) { responder.release(request) }

  /// The same for every request under way.
  public func releaseAll() { responder.releaseAll() }

  // MARK: What it saw

  /// All requests so far, in order; those to `/_simulator/` are not among them.
  public var requests: [RequestRecord] { responder.journal.requests }

  /// All connections so far, in order.
  public var connections: [ConnectionRecord] { responder.journal.connections }

  /// Milliseconds since the start, as the times of records are counted.
  public var now: Double { responder.journal.now }

  /// Waits until request number `id`, from 1, has got as far as `state`, or to an end.
  /// - Throws: `CancellationError` when the task is cancelled or the request forgotten.
  @discardableResult
  public func waitForRequest(
    _ id: Int, reaching state: RequestRecord.State = .received
  ) async throws -> RequestRecord { try await responder.journal.wait(for: id) { $0.state >= state } }

  /// Waits until request number `id` is answered, broken off by a fault, or given up by the peer.
  /// - Throws: `CancellationError` when the task is cancelled or the request forgotten.
  @discardableResult
  public func waitForEnd(of id: Int) async throws -> RequestRecord {
    try await responder.journal.wait(for: id) { $0.state.isFinal }
  }

  /// Waits until the peer has closed the connection of request number `id`, before or after the end of the answer.
  /// - Returns: the record, with ``RequestRecord/Times/closedByPeer``.
  /// - Throws: `CancellationError` when the task is cancelled or the request forgotten.
  @discardableResult
  public func waitForClose(of id: Int) async throws -> RequestRecord {
    try await responder.journal.wait(for: id) { $0.times.closedByPeer != nil }
  }
}

/// How a simulator behaves.
public struct SimulatorOptions: Sendable {
  /// Where to listen on 127.0.0.1; 0 for any free port.
  public var port = 0
  /// How long an answer takes to begin, in milliseconds.
  public var latencyMilliseconds = 0
  /// The first requests for pictures meet these, in order.
  public var scenario: [ScenarioStep] = []
  /// What they meet after that.
  public var always = ScenarioStep.success
  /// Pictures are so many times smaller, each side, than the ones the API makes.
  public var pictureScale = 16
  /// Whether the OpenAI endpoints behave as local servers do: no key, any model, parameters of diffusion models.
  public var isLocalServer = false
  /// Whether ``RequestRecord/body`` is kept.
  public var keepsBodies = true
  /// How many requests, and how many connections, are remembered.
  public var journalCapacity = 10_000
  /// The threads that serve connections.
  public var threads = 2
  /// How many bytes `slow-drip` sends at a time, and the pause between them.
  public var dripBytes = 64
  public var dripMilliseconds = 20
  /// The keys of an issuer of identity tokens, if it has one.
  public var issuerKeys: (any IssuerKeys)?
  /// Given a line for each request that has ended: method, path, status, bytes. Called on the threads that serve.
  public var log: (@Sendable (String) -> Void)?

  public init() {}
}

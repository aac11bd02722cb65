import AtelierProtocol
import Engine
import JSONRPC
import Logging
import POSIX
import Synchronization

/// The whole lifetime of one host on one transport: the connection, its service and the engine behind it.
public final class HostConnection: Sendable {
  private let connection: Connection
  private let engine: Engine
  private let limits: ConnectionLimits
  private let watch: HostWatch
  private let service: Service

  /// - Parameters:
  ///   - rights: what whoever starts the service lets this host do.
  ///   - makeEngine: makes the engine that announces to this host.
  ///   - exit: ends the process with this status; called for the `exit` notification, after what was answered before it
  ///     has been written.
  public init(
    transport: any Transport, framing: FramingChoice, limits: ConnectionLimits,
    rights: ConnectionRights = ConnectionRights(), trace: WireTrace?, logger: Logger,
    makeEngine: (@escaping @Sendable (Announcement) -> Void) -> Engine,
    exit: @escaping @Sendable (Int32) async -> Void
  ) {
    let notifier = HostNotifier()
    let watch = HostWatch()
    let engine = makeEngine { notifier.announce($0) }
    let service = Service(
      engine: engine, limits: limits, rights: rights, logger: logger, watchHost: { watch.begin($0) },
      exit: { status in Task { await exit(status) } })
    let connection = Connection(
      transport: transport, framing: framing, limits: limits, handler: service, trace: trace)
    notifier.connect(connection, serving: service)
    watch.onDeath { connection.stop(.hostDied) }
    self.connection = connection
    self.engine = engine
    self.limits = limits
    self.watch = watch
    self.service = service
  }

  /// The exit status of the process: as `exit` said, else 0.
  public var exitStatus: Int32 { service.exitStatus ?? 0 }

  /// Serves the host until its input ends, it dies or ``stop(_:)`` is called; then finishes and answers everything.
  public func run() async -> ConnectionEnd {
    await engine.serve()
    let end = await connection.run()
    if case .terminated(let limit) = end {
      await abandon(milliseconds: Int(limit / .milliseconds(1)))
    } else {
      // Detached work is finished even when nobody listens.
      await engine.leave(milliseconds: Int(limits.drainTimeout / .milliseconds(1)))
      await connection.finish(within: end.hasReader ? nil : .zero)
    }
    return end
  }

  /// Ends the connection for a reason outside its input, now or while it drains. Any thread.
  public func stop(_ reason: ConnectionEnd) {
    if case .terminated = reason { engine.generations.willAbandon() }
    connection.stop(reason)
    if case .terminated = reason { Task { await engine.generations.abandon() } }
  }

  /// Finishes everything within `milliseconds`, writes the remaining output, and releases all resources.
  public func abandon(milliseconds: Int) async {
    await engine.generations.abandon()
    await engine.leave(milliseconds: milliseconds)
    await connection.finish(within: .milliseconds(milliseconds))
  }
}

/// Watches the process a host names in `initialize`; there is at most one.
final class HostWatch: Sendable {
  private struct State {
    var watch: ProcessWatch?
    var died: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Sets the action for the host's death.
  func onDeath(_ died: @escaping @Sendable () -> Void) {
    state.withLock { $0.died = died }
  }

  /// Watches `processID`. If that is not possible, the end of the input still ends the service.
  /// - Returns: false when the process cannot be watched.
  func begin(_ processID: Int32) -> Bool {
    guard let died = state.withLock({ $0.died }), let watch = try? ProcessWatch(processID: processID, died: died) else {
      return false
    }
    state.withLock { $0.watch = watch }
    return true
  }
}

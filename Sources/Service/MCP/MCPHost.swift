import Engine
import JSONRPC

/// The lifetime of one MCP client on one transport: the connection, its service and the engine behind it.
public final class MCPHost: Sendable {
  private let connection: Connection
  private let engine: Engine
  private let limits: ConnectionLimits

  /// - Parameter makeEngine: makes the engine that announces to this host.
  public init(
    transport: any Transport, limits: ConnectionLimits, settings: MCPSettings,
    makeEngine: (@escaping @Sendable (Announcement) -> Void) -> Engine
  ) {
    let progress = CallProgress()
    engine = makeEngine { progress.announce($0) }
    self.limits = limits
    connection = Connection(
      transport: transport, framing: .fixed(.lines), limits: limits,
      handler: MCPService(engine: engine, settings: settings, progress: progress))
  }

  /// Serves the client until its input ends or ``stop(_:)`` is called; then finishes what was begun.
  public func run() async -> ConnectionEnd {
    await engine.serve()
    let end = await connection.run()
    if case .terminated(let limit) = end {
      let milliseconds = Int(limit / .milliseconds(1))
      await engine.generations.abandon()
      await engine.leave(milliseconds: milliseconds)
      await connection.finish(within: limit)
    } else {
      // Every generation is detached: it is finished even when nobody listens.
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
}

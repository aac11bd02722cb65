import Glibc
import POSIX
import Synchronization

/// A connection that is made again when it was lost, and used by one thread at a time.
///
/// `@unchecked Sendable`: the connection is read, written and used only while ``turn`` is locked.
final class PostgreSQLLink: @unchecked Sendable {
  private let server: PostgreSQLServer
  private let use: PostgreSQLServer.Use
  /// Looked at while an answer is awaited: true gives the connection up.
  private let isGivenUp: @Sendable () -> Bool
  private let turn = Mutex<Void>(())
  private var connection: PostgreSQLConnection?
  /// Since when no connection can be made; nil while there is one.
  private let failing = Mutex<ContinuousClock.Instant?>(nil)

  /// How long work waits for a server that is away: longer than another one takes to come in its place.
  private static let outage = Duration.seconds(12)
  /// How often work is tried that others undo again and again.
  private static let mostTries = 12

  /// - Parameters:
  ///   - connection: a first one, which nobody else uses; without it, the first use connects.
  ///   - isGivenUp: see ``isGivenUp``.
  init(
    _ server: PostgreSQLServer, for use: PostgreSQLServer.Use, beginningWith connection: PostgreSQLConnection? = nil,
    givingUpIf isGivenUp: @escaping @Sendable () -> Bool = { false }
  ) {
    self.server = server
    self.use = use
    self.connection = connection
    self.isGivenUp = isGivenUp
  }

  /// Runs `body` with the connection, which is made again when it is lost.
  /// - Throws: a ``PostgreSQLFault`` when there is none and none can be made; what `body` throws.
  func withConnection<Value: Sendable>(_ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
    try turn.withLock { _ in
      if let connection, !connection.isLost { return try body(connection) }
      connection = nil
      let made = try connect()
      connection = made
      return try body(made)
    }
  }

  private func connect() throws(PostgreSQLFault) -> PostgreSQLConnection {
    do {
      let made = try server.connect(for: use, givingUpIf: isGivenUp)
      failing.withLock { $0 = nil }
      return made
    } catch {
      failing.withLock { $0 = $0 ?? .now }
      throw error
    }
  }

  /// Runs `body`, again while others undo it or the server is away: not for long, and once only while it is known to be
  /// away for longer.
  /// - Parameter random: for the length of the pauses.
  func retrying<Value>(_ random: () -> UInt64, _ body: () throws -> Value) throws -> Value {
    var tries = 0
    // Since when this work has met a server that does not answer.
    var unanswered: ContinuousClock.Instant?
    while true {
      do {
        return try body()
      } catch let fault as PostgreSQLFault where fault.remedy == .again || fault.remedy == .reconnect {
        tries += 1
        if fault.remedy == .reconnect { unanswered = unanswered ?? .now }
        let isAway = [failing.withLock(\.self), unanswered].contains { $0.map { .now - $0 > Self.outage } ?? false }
        if isAway || (unanswered == nil && tries >= Self.mostTries) || isGivenUp() { throw fault }
        let milliseconds = UInt64(min(10 << min(tries, 8), 1_500))
        usleep(UInt32(milliseconds * 500 + random() % (milliseconds * 500)))
      }
    }
  }

  /// Ends the connection. The next use makes another one.
  func close() {
    turn.withLock { _ in connection = nil }
  }
}

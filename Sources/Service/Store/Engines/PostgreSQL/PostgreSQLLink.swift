import POSIX
import Synchronization

/// A connection that is made again when it was lost, and used by one thread at a time.
///
/// `@unchecked Sendable`: the connection is read, written and used only while ``turn`` is locked.
final class PostgreSQLLink: @unchecked Sendable {
  private let server: PostgreSQLServer
  private let use: PostgreSQLServer.Use
  private let reach: PostgreSQLReach
  /// Looked at while an answer is awaited: true gives the connection up.
  private let isGivenUp: @Sendable () -> Bool
  /// Looks at a new connection before it is used.
  private let examine: @Sendable (PostgreSQLConnection) throws -> Void
  private let turn = Mutex<Void>(())
  private var connection: PostgreSQLConnection?

  /// How often work is tried that others undo again and again.
  private static let mostTries = 12

  /// - Parameters:
  ///   - reach: shared with the other connections of a process.
  ///   - connection: a first one, which nobody else uses; without it, the first use connects.
  ///   - examine: see ``examine``; the first one was looked at.
  ///   - isGivenUp: see ``isGivenUp``.
  init(
    _ server: PostgreSQLServer, for use: PostgreSQLServer.Use, over reach: PostgreSQLReach? = nil,
    beginningWith connection: PostgreSQLConnection? = nil,
    examining examine: @escaping @Sendable (PostgreSQLConnection) throws -> Void = { _ in },
    givingUpIf isGivenUp: @escaping @Sendable () -> Bool = { false }
  ) {
    self.server = server
    self.use = use
    self.reach = reach ?? PostgreSQLReach(clock: server.clock)
    self.connection = connection
    self.examine = examine
    self.isGivenUp = isGivenUp
  }

  /// Runs `body` with the connection, which is made again when it is lost.
  /// - Throws: a ``PostgreSQLFault`` when there is none and none can be made; a ``StoreError`` when the database is of no
  ///   use any more; what `body` throws.
  func withConnection<Value: Sendable>(_ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
    try turn.withLock { _ in
      try reach.check()
      if let connection, !connection.isLost { return try body(connection) }
      connection = nil
      let made = try server.connect(for: use, over: reach, givingUpIf: isGivenUp)
      try examine(made)
      connection = made
      return try body(made)
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
      let begun = reach.clock.now()
      do {
        return try body()
      } catch let fault as PostgreSQLFault where fault.isWorthRepeating {
        tries += 1
        let now = reach.clock.now()
        if fault.remedy != .again { unanswered = unanswered ?? now }
        // What took long before it was cancelled would take as long again.
        let hasWaited = now - (unanswered ?? begun) > PostgreSQLReach.outage
        let isHopeless = hasWaited || (unanswered == nil && tries >= Self.mostTries)
        if isHopeless || reach.isAwayForLong || isGivenUp() { throw fault }
        let milliseconds = Int64(min(10 << min(tries, 8), 1_500))
        reach.clock.pause(.milliseconds(milliseconds / 2 + Int64(random() % UInt64(milliseconds / 2))))
      }
    }
  }

  /// Ends the connection. The next use makes another one.
  func close() {
    turn.withLock { _ in connection = nil }
  }
}

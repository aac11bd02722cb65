import POSIX

/// The connection over which one process writes into a PostgreSQL database.
///
/// A transaction takes one lock of the whole database first, so that one is written at a time and everything it has read
/// still holds when it ends. There are no savepoints: when a change of several throws, the transaction is rolled back and
/// each of them runs in one of its own.
///
/// A connection that is cut while a transaction is being committed leaves open whether it was. Each transaction therefore
/// notes its name in the row of its process. The next connection first takes the lock, which waits for the end of what is
/// still going on, and then looks whether the name is there.
final class PostgreSQLWriter: WritingConnection {
  /// What each process has written last.
  static let table = """
    CREATE TABLE atelier_writer (process TEXT COLLATE "C" PRIMARY KEY, latest TEXT COLLATE "C" NOT NULL)
    """

  private let link: PostgreSQLLink
  private let process: ProcessID
  private let makeIdentifier: @Sendable (String) -> String
  private let random: @Sendable () -> UInt64

  /// A change that threw while it shared its transaction with others.
  private struct ChangeFailed: Error {}

  /// Nobody knows whether the transaction was kept.
  private struct OutcomeUnknown: Error {
    var transaction: String
    var attempts: [QueuedWrite.Attempt]
    var cause: PostgreSQLFault
  }

  init(
    _ link: PostgreSQLLink, process: ProcessID, makeIdentifier: @escaping @Sendable (String) -> String,
    random: @escaping @Sendable () -> UInt64
  ) {
    self.link = link
    self.process = process
    self.makeIdentifier = makeIdentifier
    self.random = random
  }

  func run(_ writes: [QueuedWrite]) throws {
    do {
      for attempt in try committing(writes) { attempt.answer() }
    } catch is ChangeFailed {
      for write in writes { try run([write]) }
    } catch {
      if writes.count == 1 { return writes[0].refuse(error) }
      if let fault = error as? PostgreSQLFault, fault.remedy != .none {
        for write in writes { write.refuse(error) }
      } else {
        for write in writes { try run([write]) }
      }
    }
  }

  /// Tries a transaction until it is known to be kept.
  private func committing(_ writes: [QueuedWrite]) throws -> [QueuedWrite.Attempt] {
    var unknown: OutcomeUnknown?
    return try link.retrying(random) {
      if let open = unknown {
        if try isKept(open) { return open.attempts }
        unknown = nil
      }
      do {
        return try link.withConnection { try transaction(writes, over: $0) }
      } catch let outcome as OutcomeUnknown {
        unknown = outcome
        throw outcome.cause
      }
    }
  }

  private func transaction(
    _ writes: [QueuedWrite], over connection: PostgreSQLConnection
  ) throws -> [QueuedWrite.Attempt] {
    let name = makeIdentifier("write_")
    let session = PostgreSQLSession(connection, beginning: beginning(isDurable: writes.contains(where: \.isDurable)))
    var attempts: [QueuedWrite.Attempt] = []
    do {
      for part in Foresight.parts(of: writes.map { $0.change() }) {
        if part.count > 1 { try session.foresee(part.compactMap(\.foresight)) }
        for change in part {
          session.beginChange()
          let attempt = change.attempt(session)
          if let failure = attempt.failure {
            if let fault = failure as? PostgreSQLFault, fault.remedy != .none { throw fault }
            if writes.count > 1 { throw ChangeFailed() }
            session.leave(with: .init(text: "ROLLBACK"))
            return [attempt]
          }
          attempts.append(attempt)
          // What the last one writes goes with the end.
          if attempts.count < writes.count { try session.push() }
        }
      }
      session.run(
        """
        INSERT INTO atelier_writer (process, latest) VALUES (?, ?)
        ON CONFLICT (process) DO UPDATE SET latest = excluded.latest
        """, [process.rawValue, name])
    } catch {
      session.leave(with: .init(text: "ROLLBACK"))
      throw error
    }
    try commit(session, connection, OutcomeUnknown(transaction: name, attempts: attempts, cause: .lost("no answer")))
    return attempts
  }

  private func commit(
    _ session: PostgreSQLSession, _ connection: PostgreSQLConnection, _ unknown: OutcomeUnknown
  ) throws {
    var unknown = unknown
    do throws(PostgreSQLFault) {
      try session.finish(with: .init(text: "COMMIT"))
    } catch {
      guard error.remedy == .reconnect else {
        session.leave(with: .init(text: "ROLLBACK"))
        throw error
      }
      unknown.cause = error
      throw unknown
    }
    if connection.warnings.contains(PostgreSQLFault.unconfirmed.state ?? "") {
      unknown.cause = .unconfirmed
      throw unknown
    }
  }

  private func beginning(isDurable: Bool) -> [PostgreSQLConnection.Statement] {
    var statements: [PostgreSQLConnection.Statement] = [.init(text: "BEGIN")]
    if !isDurable { statements.append(.init(text: "SET LOCAL synchronous_commit = off")) }
    statements.append(AdvisoryLock.ledger.statement)
    return statements
  }

  /// Whether a transaction was kept. The lock, taken first, waits until it has ended one way or the other.
  ///
  /// Where it was kept and a standby confirms what is written now, the standby has what came before as well.
  /// - Throws: a ``PostgreSQLFault`` to be asked again after, as long as nobody knows.
  private func isKept(_ unknown: OutcomeUnknown) throws -> Bool {
    do {
      return try link.withConnection { connection in
        let session = PostgreSQLSession(connection, beginning: beginning(isDurable: true))
        do {
          let mine: SQLValues = [process.rawValue, unknown.transaction]
          let count = try session.change("UPDATE atelier_writer SET latest = latest WHERE process = ? AND latest = ?", mine)
          try session.finish(with: .init(text: "COMMIT"))
          if connection.warnings.contains(PostgreSQLFault.unconfirmed.state ?? "") { throw PostgreSQLFault.unconfirmed }
          return count == 1
        } catch {
          session.leave(with: .init(text: "ROLLBACK"))
          throw error
        }
      }
    } catch let fault as PostgreSQLFault where fault.remedy == .wait {
      throw PostgreSQLFault.lost(fault.message)
    }
  }
}

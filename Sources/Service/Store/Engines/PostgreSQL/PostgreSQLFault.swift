/// What a PostgreSQL server, or the way to it, has answered in place of a result.
struct PostgreSQLFault: Error, Sendable, Equatable {
  /// The server's code, as in the table of its manual's appendix A; nil where the connection was lost or never made.
  var state: String?
  /// The server's own words, for the operator's log. They may hold names of tables and columns, and no value of a row.
  var message: String

  /// - Parameter message: says why there is no connection, without what it was asked for.
  static func lost(_ message: String) -> PostgreSQLFault { PostgreSQLFault(state: nil, message: message) }

  /// The server has committed and no longer waits for its standby, which may lack the transaction.
  static let unconfirmed = PostgreSQLFault(state: "01000", message: "the standby has not confirmed the transaction")

  /// What to do about it.
  enum Remedy: Sendable {
    /// The statement or its caller is at fault, or the data contradict a rule: repeating it fails in the same way.
    case none
    /// The transaction came to nothing, because of others: it may run again at once.
    case again
    /// The connection is of no use any more. What was committed over it may or may not have happened.
    case reconnect
    /// The server refuses every change at present: it is full, stopping, a standby, or has no connection left.
    case wait
  }

  /// Unknown codes are of the statement: a server that says something new about a statement has undone it.
  var remedy: Remedy {
    guard let state else { return .reconnect }
    switch state {
    case "40001", "40P01", "01000": return .again
    // lock_timeout: somebody has held what is needed for too long.
    case "55P03": return .wait
    // read_only_sql_transaction: the server has become a standby; too_many_connections.
    case "25006", "53300": return .wait
    // admin_shutdown, crash_shutdown, cannot_connect_now, idle sessions, and what belongs to the connection.
    case "57P01", "57P02", "57P03", "57P05", "25P03", "57P04": return .reconnect
    case _ where state.hasPrefix("08"): return .reconnect
    // Insufficient resources: disk, memory.
    case _ where state.hasPrefix("53"), _ where state.hasPrefix("58"): return .wait
    default: return .none
    }
  }

  /// Whether the data contradict themselves: data_corrupted, index_corrupted.
  var isDamage: Bool { state == "XX001" || state == "XX002" }
  /// A rule of the schema, see ``Trigger``.
  static let ruleBroken = "AT001"
}

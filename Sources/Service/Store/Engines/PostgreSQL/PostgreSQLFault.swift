/// What a PostgreSQL server, or the way to it, has answered in place of a result.
struct PostgreSQLFault: Error, Sendable, Equatable {
  /// The server's code, as in the table of its manual's appendix A; nil where the connection was lost or never made.
  var state: String?
  /// The server's own words, for the operator's log. They may hold names of tables and columns, and no value of a row.
  var message: String
  /// Whether nothing was said at all, for as long as an answer may take.
  var isSilence = false
  /// Whether there was no connection yet.
  var isRefusal = false
  /// Whether a statement was refused because row security would hide rows from it.
  var isOfHiddenRows = false

  /// - Parameter message: says why there is no connection, without what it was asked for.
  static func lost(_ message: String) -> PostgreSQLFault { PostgreSQLFault(state: nil, message: message) }

  /// Nothing was said for so long.
  static func silence(_ duration: Duration) -> PostgreSQLFault {
    PostgreSQLFault(
      state: nil, message: "the server has not answered for \(max(1, duration.wholeMilliseconds / 1000)) seconds",
      isSilence: true)
  }

  /// The server has committed and no longer waits for its standby, which may lack the transaction.
  static let unconfirmed = PostgreSQLFault(state: "01000", message: "the standby has not confirmed the transaction")
  /// What one connection has set, another one had: something between shares the server's sessions.
  static let sharedSession = PostgreSQLFault(state: "AT002", message: "sessions are shared")

  /// What to do about it.
  enum Remedy: Sendable {
    /// The statement or its caller is at fault, or the data contradict a rule: repeating it fails in the same way.
    case none
    /// The transaction came to nothing, because of others: it may run again at once.
    case again
    /// The connection is of no use any more. What was committed over it may or may not have happened.
    case reconnect
    /// The server refuses at present, and will not when somebody has seen to it: it is full, a standby, has no connection
    /// left, or does not know the password.
    case wait
  }

  var remedy: Remedy { Self.remedy(of: state) }

  /// Whether the same may be tried again at once, or soon.
  var isWorthRepeating: Bool {
    switch remedy {
    case .again, .reconnect: true
    // Another one may give its connection back, or the password be changed, at any moment.
    case .wait: isRefusal
    case .none: false
    }
  }

  /// Whether something is missing that Atelier has made.
  var lacksObjects: Bool { state.map(Self.missingObjects.contains) ?? false }

  /// Whether the data contradict themselves: data_corrupted, index_corrupted.
  var isDamage: Bool { state == "XX001" || state == "XX002" }
  /// Whether the server does not accept what this process says of itself.
  var isOfThePassword: Bool { state?.hasPrefix("28") ?? message.contains("password") }
  /// A rule of the schema, see ``Trigger``.
  static let ruleBroken = "AT001"
}

extension PostgreSQLFault {
  /// What each code asks for: its own line or else that of its class, the first two signs.
  static func remedy(of state: String?) -> Remedy {
    // The way to the server has said nothing with a code.
    guard let state else { return .reconnect }
    if missingObjects.contains(state) { return .wait }
    return codes[state] ?? classes[String(state.prefix(2))] ?? .none
  }

  /// A class that is missing is of the statement, as are all that come in later versions: a server that says something new
  /// about a statement has undone it.
  private static let classes: [String: Remedy] = [
    // Connection exception.
    "08": .reconnect,
    // Invalid SQL statement name: the statements that were prepared are gone, with whatever else the session had.
    "26": .reconnect,
    // Invalid authorization: the password may just be changed.
    "28": .wait,
    // Invalid catalog name: the database is gone, as while a backup is put in its place.
    "3D": .wait,
    // Transaction rollback.
    "40": .again,
    // Insufficient resources: disk, memory, connections.
    "53": .wait,
    // Object not in prerequisite state: something is in use, or locked for too long.
    "55": .wait,
    // Operator intervention.
    "57": .again,
    // Errors of the system under the server.
    "58": .wait,
    // The snapshot is too old.
    "72": .again,
    // The server's configuration is being changed.
    "F0": .wait,
    // Internal error, which poolers also say of themselves.
    "XX": .wait,
  ]

  /// What a statement names is not there, or not to be seen: the schema, a table, a column, a function, a type, or the key
  /// of a table. So it is while a backup is put in its place, and without the right to use the schema.
  private static let missingObjects: Set = ["3F000", "42P01", "42703", "42883", "42704", "42P10"]

  private static let codes: [String: Remedy] = [
    // The standby has not confirmed.
    "01000": .again,
    // A cached plan whose result has changed its type: the tables were altered since it was prepared.
    "0A000": .reconnect,
    // read_only_sql_transaction: the server has become a standby.
    "25006": .wait,
    // The time of an idle transaction, or of any, is over: both end the session.
    "25P03": .reconnect, "25P04": .reconnect,
    // A deferred rule that is broken, and what nobody knows the end of.
    "40002": Remedy.none, "40003": .reconnect,
    // Somebody has taken back a right, until it is granted again.
    "42501": .wait,
    // A statement that was prepared is not the one that this connection has prepared.
    "42P05": .reconnect,
    // admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped, idle_session_timeout.
    "57P01": .reconnect, "57P02": .reconnect, "57P03": .reconnect, "57P04": .reconnect, "57P05": .reconnect,
    // Data or an index are damaged.
    "XX001": Remedy.none, "XX002": Remedy.none,
  ]
}

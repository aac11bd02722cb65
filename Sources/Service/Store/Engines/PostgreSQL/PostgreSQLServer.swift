/// A PostgreSQL database as it was configured, and how it is connected to.
public struct PostgreSQLServer: Sendable {
  /// What a connection is for.
  enum Use: Sendable {
    case writing
    case reading
    /// Reads of the whole database, which may take long.
    case readingWhole
    /// Short looks at the leases of processes.
    case heartbeats

    /// How long one statement may take, in seconds. A connection waits for an answer a little longer.
    var statementSeconds: Int { self == .readingWhole ? 3_600 : 30 }
  }

  public var address: PostgreSQLAddress
  /// Nil where the server asks for none.
  public var password: String?
  public var leases = LeaseRules()
  /// Whether the time of the store is the server's. Machines whose clocks differ then have the same limits.
  public var givesTime = true
  /// Whether statements share round trips, and changes what they read. False only to measure what that brings.
  public var sendsAhead = true

  public init(address: PostgreSQLAddress) { self.address = address }

  /// - Throws: a ``PostgreSQLFault``.
  func connect(
    for use: Use, givingUpIf isGivenUp: @escaping @Sendable () -> Bool = { false }
  ) throws(PostgreSQLFault) -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(
      settings(for: use), patience: .seconds(use.statementSeconds + 10), givingUpIf: isGivenUp)
    connection.sendsAhead = sendsAhead
    return connection
  }

  /// Every keyword that the environment of the process could set otherwise is given; libpq would warn of a password file
  /// that is there and is none.
  private func settings(for use: Use) -> [(key: String, value: String)] {
    var limits = [
      // A client that vanishes inside of a transaction holds its locks: not for longer than this.
      "idle_in_transaction_session_timeout=5s", "lock_timeout=10s", "statement_timeout=\(use.statementSeconds)s",
      "tcp_keepalives_idle=3", "tcp_keepalives_interval=1", "tcp_keepalives_count=3", "search_path=public",
      "default_transaction_isolation=read\\ committed",
      // Compiling a statement, or planning it each time, takes longer than running it: an audit has forty parts, and few
      // rows in most of them.
      "jit=off", "plan_cache_mode=force_generic_plan",
    ]
    // Nothing is lost with a lease: where it waited for a standby that is away, nobody could even read.
    if use == .heartbeats { limits.append("synchronous_commit=off") }
    return address.settings + [
      ("password", password ?? ""), ("passfile", "/dev/null/none"), ("client_encoding", "UTF8"),
      ("application_name", "atelier"), ("connect_timeout", "5"), ("tcp_user_timeout", "10000"), ("gssencmode", "disable"),
      ("target_session_attrs", "read-write"), ("options", limits.map { "-c \($0)" }.joined(separator: " ")),
    ]
  }
}

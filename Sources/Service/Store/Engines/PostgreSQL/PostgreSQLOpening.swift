/// Opens a database on a server: looks whether it can be trusted with a ledger, and creates its tables or brings them up
/// to date.
struct PostgreSQLOpening {
  let server: PostgreSQLServer

  /// The oldest server, as it counts: sha256() is of 11, gen_random_uuid() and more of 13.
  private static let oldestServer = 130_000

  /// - Parameters:
  ///   - use: what the connection is for.
  ///   - reach: as in ``PostgreSQLServer/connect(for:over:givingUpIf:)``.
  /// - Returns: a connection; the tables are of the current version.
  /// - Throws: a ``StoreError``; a ``PostgreSQLFault`` when there is no connection.
  func open(
    for use: PostgreSQLServer.Use = .writing, over reach: PostgreSQLReach? = nil
  ) throws -> PostgreSQLConnection {
    let connection = try connect(for: use, over: reach)
    let version = try version(connection)
    guard version != Schema.version else { return connection }
    guard try mayMigrate(connection, from: version) else { throw unprepared(version) }
    try transaction(over: connection) { try bringUpToDate(connection, $0) }
    return connection
  }

  /// - Returns: a connection to a database that can be trusted with a ledger, whatever is in it.
  func connect(
    for use: PostgreSQLServer.Use = .writing, over reach: PostgreSQLReach? = nil
  ) throws -> PostgreSQLConnection {
    let connection = try server.connect(for: use, over: reach)
    try check(connection)
    return connection
  }

  /// Opens every connection that a store has, at once, and tries what it will need: what is refused later is refused when a
  /// picture is paid for.
  /// - Parameter reach: of all of them.
  func openAll(over reach: PostgreSQLReach) throws -> Connections {
    let writing = try open(over: reach)
    let connections = Connections(
      writing: writing, reading: try server.connect(for: .reading, over: reach),
      heartbeats: try server.connect(for: .heartbeats, over: reach))
    // Of the fourth, for reads of the whole, there is one at a time when it is needed.
    let whole = try server.connect(for: .readingWhole, over: reach)
    try Self.requireApart([connections.writing, connections.reading, connections.heartbeats, whole])
    try requireRights(PostgreSQLSession(writing, beginning: []))
    return connections
  }

  /// What a store is connected by.
  struct Connections {
    var writing: PostgreSQLConnection
    var reading: PostgreSQLConnection
    var heartbeats: PostgreSQLConnection
  }

  /// Makes sure that each connection has a session of its own, while transactions are open on all of them: a pooler that
  /// has given one to several for a transaction at a time cannot do so then.
  /// - Throws: ``PostgreSQLFault/sharedSession``.
  static func requireApart(_ connections: [PostgreSQLConnection]) throws {
    do {
      // One after the other: where the pooler has fewer sessions, the first finds the mark of a later one.
      for connection in connections {
        let answers = try connection.exchange([
          .init(text: "BEGIN"), .init(text: "SELECT \(PostgreSQLSettings.isOwn(connection))"),
        ])
        guard case .rows(let rows)? = answers.last, try rows.first?.value("is_own") == true else {
          throw PostgreSQLFault.sharedSession
        }
      }
      for connection in connections { _ = try connection.exchange([.init(text: "COMMIT")]) }
    } catch let fault as PostgreSQLFault {
      throw PostgreSQLSettings.isOfPooler(fault) ? PostgreSQLFault.sharedSession : fault
    }
  }

  /// - Throws: a ``StoreError`` that names what the role of a session may not do, though a store must.
  func requireRights(_ session: PostgreSQLSession) throws {
    let hidden = try PostgreSQLRoles.hidden(from: server.address.user, in: session)
    if let first = hidden.first { throw PostgreSQLError.hiddenRows("row security is on for \(first)", server: server) }
    let missing = try PostgreSQLRoles.missing(in: session)
    if !missing.isEmpty { throw PostgreSQLError.lackOfRights(missing.prefix(5).joined(separator: ", "), server: server) }
  }

  /// Looks whether another process has brought the tables to a version that this one does not know.
  /// - Throws: a ``StoreError`` when it has.
  @Sendable func requireKnownVersion(_ connection: PostgreSQLConnection) throws {
    try requireKnown(try writtenVersion(connection))
  }

  /// The tables exist before their rows while a backup is put in their place.
  private func writtenVersion(_ connection: PostgreSQLConnection) throws -> Int {
    let answers = try connection.exchange([.init(text: "SELECT version FROM atelier_schema")])
    guard case .rows(let rows)? = answers.last, let row = rows.first else {
      throw PostgreSQLError.told(
        .failed, server: server) { "\($0) does not say of which version its tables are. \(PostgreSQLError.restoring)" }
    }
    return try row.value("version")
  }

  /// - Throws: a ``StoreError``.
  func requireKnown(_ version: Int) throws {
    guard version > Schema.version else { return }
    throw StoreError(
      .newerDatabase,
      "\(server.address.shown) was written by a newer version of Atelier (its schema is \(version), this one knows "
        + "\(Schema.version)). Install the newer version.")
  }

  /// Whether the role of this connection owns the tables, or can make them.
  private func mayMigrate(_ connection: PostgreSQLConnection, from version: Int?) throws -> Bool {
    let owner = "SELECT pg_has_role(relowner, 'USAGE') AS may FROM pg_class"
    return try one(
      connection,
      version == nil
        ? "SELECT has_schema_privilege('public', 'CREATE') AS may"
        : "\(owner) WHERE oid = CAST('public.atelier_schema' AS regclass)"
    ).value("may")
  }

  private func unprepared(_ version: Int?) -> StoreError {
    let state =
      version.map { "has the tables of an older version (its schema is \($0), this one needs \(Schema.version))" }
      ?? "has no tables of Atelier"
    return StoreError(
      .unpreparedDatabase,
      "The database \(server.address.shown) \(state), and this role may not make any. Let the role that owns the database "
        + "do it: \(PostgreSQLPreparation.command(for: server))")
  }

  private func check(_ connection: PostgreSQLConnection) throws {
    guard connection.serverVersion >= Self.oldestServer else {
      throw refusal("is of version \(connection.serverVersion / 10_000). Version 13 or later is needed.")
    }
    let row = try one(connection, "SELECT current_setting('server_encoding') AS encoding")
    guard try row.value("encoding") == "UTF8" else {
      throw refusal("does not keep texts in UTF-8. Create it with: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0")
    }
  }

  /// - Returns: nil for an empty database.
  func version(_ connection: PostgreSQLConnection) throws -> Int? {
    // In the catalogue itself: `to_regclass` remembers that there was no such table, also after it has waited for the lock.
    let table = try one(
      connection,
      "SELECT count(*) AS found FROM pg_tables WHERE schemaname = 'public' AND tablename = 'atelier_schema'")
    guard try table.value("found") as Bool else { return nil }
    let version = try writtenVersion(connection)
    try requireKnown(version)
    return version
  }

  /// Runs `work` in one transaction, in which no other process makes tables.
  func transaction<Value>(
    over connection: PostgreSQLConnection, _ work: (PostgreSQLSession) throws -> Value
  ) throws -> Value {
    let session = PostgreSQLSession(
      connection, beginning: [.init(text: "BEGIN"), AdvisoryLock.schema.statement])
    do {
      let value = try work(session)
      try session.finish(with: .init(text: "COMMIT"))
      return value
    } catch {
      session.leave(with: .init(text: "ROLLBACK"))
      throw error
    }
  }

  /// Runs `work` in a transaction while no process works with the database, and none can write.
  func whileLocked<Value>(_ work: (any SQLSession) throws -> Value) throws -> Value {
    let session = PostgreSQLSession(
      try open(for: .readingWhole),
      beginning: [
        .init(text: "BEGIN"),
        // The other side may take longer than a transaction may wait.
        .init(text: "SET LOCAL idle_in_transaction_session_timeout = 0"), AdvisoryLock.ledger.statement,
      ])
    defer { session.leave(with: .init(text: "ROLLBACK")) }
    try PostgreSQLLeases.requireNone(in: session, server)
    return try work(session)
  }

  /// Makes the tables, or takes all steps to the current version. The roles of services keep what they need.
  func bringUpToDate(_ connection: PostgreSQLConnection, _ session: PostgreSQLSession) throws {
    _ = try session.rows("SELECT 1", [])
    // Another process may have been quicker.
    let version = try version(connection)
    if version == Schema.version { return }
    if version == nil {
      let tables: Int? = try session.value("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")
      guard tables == 0 else { throw refusal("holds tables of something else. Give Atelier a database of its own.") }
      session.run("CREATE TABLE atelier_schema (version BIGINT NOT NULL)", [])
      session.run("INSERT INTO atelier_schema (version) VALUES (0)", [])
      for table in [PostgreSQLWriter.table, PostgreSQLPresence.table] { session.run(table, []) }
    }
    for step in PostgreSQLSchema.steps.dropFirst(version ?? 0) {
      // One statement that runs many.
      session.run("DO $atelier$ BEGIN\n\(step)\nEND $atelier$", [])
    }
    session.run("UPDATE atelier_schema SET version = \(Schema.version)", [])
    for role in try PostgreSQLRoles.granted(in: session) { try PostgreSQLRoles.grant(to: role, in: session) }
  }

  private func one(_ connection: PostgreSQLConnection, _ text: String) throws -> SQLRow {
    guard case .rows(let rows)? = try connection.exchange([.init(text: text)]).last, let row = rows.first else {
      throw SQLFault.damaged("a query that always has an answer has none")
    }
    return row
  }

  private func refusal(_ fact: String) -> StoreError {
    StoreError(.foreignDatabase, "The database \(server.address.shown) \(fact)")
  }
}

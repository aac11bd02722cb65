import AtelierProtocol

/// Fills an empty database on a server with the rows of another store, in one transaction: broken off at any moment, the
/// database is as empty as it was.
struct PostgreSQLFilling {
  let server: PostgreSQLServer

  /// - Parameters:
  ///   - rows: what reads them, and tells how far it is.
  ///   - isUnchanged: looked at last of all: nobody has begun to write where the rows come from.
  /// - Returns: what was written, compared with what was read and found right by the audit of the ledger.
  /// - Throws: a ``StoreError`` for a database that cannot be filled; a ``PostgreSQLFault``.
  func fill(
    from source: any SQLSession, _ rows: TableCopy, makingSure isUnchanged: () throws -> Void = {}
  ) throws -> TableCopy.Sums {
    let opening = PostgreSQLOpening(server: server)
    let connection = try opening.connect(for: .readingWhole)
    return try opening.transaction(over: connection) { session in
      try begin(session, opening, connection)
      let references = try deferReferences(in: session)
      let copied = try rows.copy(from: source, into: session, words: "OVERRIDING SYSTEM VALUE") {
        _ = try session.rows("SELECT 1")
      }
      try session.run("SET CONSTRAINTS ALL IMMEDIATE")
      for (name, table) in references { try session.run("ALTER TABLE \(table) ALTER CONSTRAINT \(name) NOT DEFERRABLE") }
      try continueNumbers(in: session)
      for table in SchemaTable.all { try session.run("ALTER TABLE \(table.name) ENABLE TRIGGER USER") }
      // Else the audit would be planned for tables that are empty.
      try session.run("ANALYZE")
      try check(session, copied)
      try isUnchanged()
      try PostgreSQLLeases.requireNone(in: session, server)
      return copied
    }
  }

  /// Looks whether the database can be filled, and changes nothing.
  func check() throws {
    struct Enough: Error {}
    let opening = PostgreSQLOpening(server: server)
    let connection = try opening.connect()
    do {
      try opening.transaction(over: connection) { session in
        try begin(session, opening, connection)
        throw Enough()
      }
    } catch is Enough {
      return
    }
  }

  /// Makes the tables, if there are none, and sees to it that nobody writes into them and no rule changes what is copied.
  private func begin(
    _ session: PostgreSQLSession, _ opening: PostgreSQLOpening, _ connection: PostgreSQLConnection
  ) throws {
    // The other side may take longer than a transaction may wait.
    try session.run("SET LOCAL idle_in_transaction_session_timeout = 0")
    try opening.bringUpToDate(connection, session)
    guard try PostgreSQLRoles.owns(server.address.user, in: session) else {
      throw StoreError(
        .unpreparedDatabase,
        "“\(server.address.user)” does not own the tables of \(server.address.shown), and cannot fill them. Name the role "
          + "that owns them in the address.")
    }
    session.lock(.ledger)
    try PostgreSQLLeases.requireNone(in: session, server)
    if let object = try PostgreSQLObjects.foreign(in: session).first {
      throw StoreError(
        .failed,
        "The database \(server.address.shown) has \(object), which Atelier does not make. Nothing was copied. Drop it, or "
          + "name another database.")
    }
    for table in SchemaTable.all { try session.run("ALTER TABLE \(table.name) DISABLE TRIGGER USER") }
    // The schema itself has put a row into this one.
    try session.run("DELETE FROM artifact_sum WHERE bytes = 0")
    for table in SchemaTable.all where try session.finds("SELECT 1 FROM \(table.name) LIMIT 1") {
      throw StoreError(
        .failed,
        "The database \(server.address.shown) is not empty: \(table.name) has rows. Nothing was copied. Name an empty one.")
    }
  }

  /// Lets rows refer to later ones of the same table.
  private func deferReferences(in session: PostgreSQLSession) throws -> [(name: String, table: String)] {
    let references = try session.rows(
      """
      SELECT CAST(conname AS TEXT) AS name, CAST(relname AS TEXT) AS owner FROM pg_constraint
      JOIN pg_class ON pg_class.oid = conrelid WHERE contype = 'f' AND conrelid = confrelid
      """
    ).map { (name: try $0.value("name", as: String.self), table: try $0.value("owner", as: String.self)) }
    for (name, table) in references {
      try session.run("ALTER TABLE \(table) ALTER CONSTRAINT \(name) DEFERRABLE INITIALLY DEFERRED")
    }
    return references
  }

  /// Lets the columns that the server numbers go on after the highest number.
  private func continueNumbers(in session: PostgreSQLSession) throws {
    let columns = try session.rows(
      """
      SELECT CAST(table_name AS TEXT) AS owner, CAST(column_name AS TEXT) AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND is_identity = 'YES'
      """)
    for column in columns {
      let (table, name): (String, String) = (try column.value("owner"), try column.value("name"))
      let highest: Int = try session.value("SELECT max(\(name)) FROM \(table)") ?? 0
      try session.run("ALTER TABLE \(table) ALTER COLUMN \(name) RESTART WITH \(max(highest, 0) + 1)")
    }
  }

  private func check(_ session: PostgreSQLSession, _ copied: TableCopy.Sums) throws {
    if let table = try TableCopy().sums(of: session).firstDifference(from: copied) {
      throw StoreError(
        .failed, "The rows of \(table) are not in \(server.address.shown) as they were read. Nothing was kept.")
    }
    guard let finding = try LedgerAudit.findings(in: session).first else { return }
    throw StoreError(
      .failed,
      "The ledger of credits is damaged (\(finding.what): \(finding.subject)), so nothing was copied. `atelier doctor` says "
        + "what to do about the one that it comes from.")
  }
}

/// Who works with a database on a server.
enum PostgreSQLLeases {
  /// - Throws: a ``StoreError`` while the lease of any process is in force.
  static func requireNone(in session: any SQLSession, _ server: PostgreSQLServer) throws {
    let count: Int =
      try session.value("SELECT count(*) FROM process_lease WHERE lease > \(PostgreSQLPresence.now)") ?? 0
    guard count > 0 else { return }
    throw StoreError(
      .busy,
      "\(count == 1 ? "1 process of Atelier works" : "\(count) processes of Atelier work") with the database "
        + "\(server.address.shown). End what runs, then try again. A process that was killed is forgotten after half a "
        + "minute.")
  }
}

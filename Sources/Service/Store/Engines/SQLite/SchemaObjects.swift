import GRDB

/// What a database consists of besides its rows: tables, indexes, triggers and views.
///
/// A trigger that somebody has added changes rows whenever the service writes, so that it must not come back unseen with a
/// backup.
struct SchemaObjects {
  /// The statement that makes each object, by its kind and name, such as `trigger transfer_stays`.
  private var statements: [String: String] = [:]

  /// Those of a database. What SQLite makes by itself has no statement.
  init(in session: any SQLSession) throws {
    let rows = try session.rows(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND substr(name, 1, 7) <> 'sqlite_'")
    for row in rows {
      let (type, name): (String, String) = (try row.value("type"), try row.value("name"))
      statements["\(type) \(name)"] = try row.value("sql")
    }
  }

  /// Those that this version of Atelier makes.
  /// - Parameter version: of the schema; no later than the current one.
  init(ofVersion version: Int) throws {
    self = try DatabaseQueue().writeWithoutTransaction { database in
      LedgerTable.addFunctions(to: database)
      try Migration.apply(Array(SQLiteSchema.steps.prefix(version)), from: 0, to: database)
      return try SchemaObjects(in: SQLiteSession(database))
    }
  }

  /// The objects that are not as in `other`: more, fewer or others.
  func differences(from other: SchemaObjects) -> [String] {
    Set(statements.keys).union(other.statements.keys).filter { statements[$0] != other.statements[$0] }.sorted()
  }

  /// Makes what a database consists of as Atelier makes it: whatever holds no rows is removed, or made anew.
  /// - Returns: the objects that were not so.
  /// - Throws: ``ForeignTable`` for a table that is not so; nothing has changed then.
  static func mend(_ database: Database) throws -> [String] {
    let session = SQLiteSession(database)
    let version = try session.value("PRAGMA user_version", as: Int.self) ?? 0
    let (present, due) = (try SchemaObjects(in: session), try SchemaObjects(ofVersion: version))
    let names = present.differences(from: due)
    if let table = names.first(where: { $0.hasPrefix("table ") }) { throw ForeignTable(name: table) }
    try database.inTransaction(.immediate) {
      for name in names where present.statements[name] != nil {
        let parts = name.split(separator: " ", maxSplits: 1)
        try database.execute(sql: "DROP \(parts[0]) \"\(parts[1].replacing("\"", with: "\"\""))\"")
      }
      for name in names { if let statement = due.statements[name] { try database.execute(sql: statement) } }
      return .commit
    }
    return names
  }

  /// A table that Atelier does not make, or not so.
  struct ForeignTable: Error {
    var name: String
  }
}

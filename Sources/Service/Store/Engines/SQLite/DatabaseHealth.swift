/// What only SQLite can be asked about its own file.
enum DatabaseHealth {
  /// Checks the whole file: one line for each damage, at most twenty.
  static func damage(in session: any SQLSession) throws -> [String] {
    try session.values("PRAGMA integrity_check(20)", as: String.self).filter { $0 != "ok" }
  }

  /// The rows that refer to rows which are not there: the tables of both.
  static func brokenReferences(in session: any SQLSession) throws -> [(table: String, parent: String)] {
    try session.rows("PRAGMA foreign_key_check").map { row in
      (table: try row.value("table"), parent: try row.value("parent"))
    }
  }

  /// Writes the first page as it is, so that the transaction must write to the disk.
  static func rewriteFirstPage(in session: any SQLSession) throws {
    let version = try session.value("PRAGMA user_version", as: Int.self) ?? 0
    try session.run("PRAGMA user_version = \(version)")
  }
}

import GRDB

/// Takes a database from the version it has to the last.
enum Migration {
  /// Runs the steps after `version` and sets the version number, in one transaction: a last one that fails leaves
  /// nothing of the others.
  static func apply(_ steps: [String], from version: Int, to database: Database) throws {
    guard version < steps.count else { return }
    try database.inTransaction(.immediate) {
      for step in steps.dropFirst(version) { try database.execute(sql: step) }
      try database.execute(
        sql: """
          PRAGMA application_id = \(ConnectionSettings.applicationID);
          PRAGMA user_version = \(steps.count);
          """)
      return .commit
    }
  }
}

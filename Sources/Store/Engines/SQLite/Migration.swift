import GRDB

/// Migrates a database from its version to the latest.
enum Migration {
  /// Runs the steps after `version` and sets the version number, in one transaction: if the last step fails, the
  /// earlier ones are rolled back too.
  static func apply(_ steps: [String], from version: Int, to database: Database) throws {
    guard version < steps.count else { return }
    try database.inTransaction(.immediate) {
      for step in steps.dropFirst(version) { try database.execute(sql: step) }
      try database.execute(
        sql: """
          PRAGMA application_id = \(Schema.applicationID);
          PRAGMA user_version = \(steps.count);
          """)
      return .commit
    }
  }
}

import GRDB

/// Takes a database from the version it has to the last.
enum Migration {
  /// Runs the steps after `version`, each in one transaction with its version number.
  static func apply(_ steps: [String], from version: Int, to database: Database) throws {
    for (index, step) in steps.enumerated().dropFirst(version) {
      try database.inTransaction(.immediate) {
        try database.execute(sql: step)
        try database.execute(
          sql: """
            PRAGMA application_id = \(ConnectionSettings.applicationID);
            PRAGMA user_version = \(index + 1);
            """)
        return .commit
      }
    }
  }
}

import GRDB

/// How every connection to the database is set up.
enum ConnectionSettings {
  /// "Atel" in ASCII: tells our database from others.
  static let applicationID: Int32 = 0x4174_656C

  static func configuration(readonly: Bool, wait: BusyWait) -> Configuration {
    var configuration = Configuration()
    configuration.label = readonly ? "atelier.store.reader" : "atelier.store.writer"
    configuration.readonly = readonly
    configuration.foreignKeysEnabled = true
    configuration.busyMode = wait.mode
    configuration.prepareDatabase { database in
      // WAL itself is a property of the file. `recursive_triggers` makes INSERT OR REPLACE meet the triggers that
      // forbid deleting; `secure_delete` overwrites what is deleted, for a deleted prompt shall be gone.
      try database.execute(
        sql: """
          PRAGMA synchronous = FULL;
          PRAGMA recursive_triggers = ON;
          PRAGMA cell_size_check = ON;
          PRAGMA trusted_schema = OFF;
          PRAGMA secure_delete = ON;
          PRAGMA temp_store = MEMORY;
          """)
      // A transaction of many requests at once is to fit: what does not is written twice.
      if !readonly { try database.execute(sql: "PRAGMA cache_size = -8192") }
      LedgerTable.addFunction(to: database)
    }
    return configuration
  }
}

import GRDB

extension LedgerTable {
  /// Registers ``function`` with a connection.
  static func addFunction(to database: Database) {
    database.add(
      function: DatabaseFunction(function, argumentCount: nil, pure: true) { values in hash(values.map { SQLValue($0) }) })
  }
}

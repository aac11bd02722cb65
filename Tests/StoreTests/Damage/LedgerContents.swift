import GRDB

@testable import Store

/// Everything the ledger says, to be compared.
enum LedgerContents {
  /// - Parameter path: of a database that may be damaged.
  static func read(_ path: String) throws -> [String: [[DatabaseValue]]] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { database in
      let tables = LedgerTable.all.map { ($0.name, $0.columns[0]) } + [
        ("account_balance", "account"), ("grant_balance", "grant_id"),
      ]
      return try Dictionary(
        uniqueKeysWithValues: tables.map { table, key in
          let rows = try Row.fetchAll(database, sql: "SELECT * FROM \(table) ORDER BY \(key)")
          return (table, rows.map { Array($0.databaseValues) })
        })
    }
  }
}

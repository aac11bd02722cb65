import GRDB
import struct Foundation.Data

/// A connection of SQLite inside a transaction.
struct SQLiteSession: SQLSession {
  let database: Database

  init(_ database: Database) { self.database = database }

  func rows(_ text: String, _ values: SQLValues) throws -> [SQLRow] {
    let statement = try database.cachedStatement(sql: text)
    let cursor = try Row.fetchCursor(statement, arguments: StatementArguments(values.values.map(\.databaseValue)))
    let columns = SQLColumns(statement.columnNames)
    var rows: [SQLRow] = []
    while let row = try cursor.next() {
      rows.append(SQLRow(columns: columns, values: row.databaseValues.map(SQLValue.init)))
    }
    return rows
  }

  func change(_ text: String, _ values: SQLValues) throws -> Int {
    try run(text, values)
    return database.changesCount
  }

  func run(_ text: String, _ values: SQLValues) throws {
    try database.cachedStatement(sql: text).execute(arguments: StatementArguments(values.values.map(\.databaseValue)))
  }

  /// Every answer is as near as any other.
  func prefetch(_ queries: [SQLQuery]) {}

  /// One transaction writes at a time, from its beginning.
  func lock(_ lock: SQLLock) {}
}

extension SQLValue {
  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .bytes(let bytes): Data(bytes).databaseValue
    }
  }

  init(_ value: DatabaseValue) {
    self =
      switch value.storage {
      case .null: .null
      case .int64(let number): .integer(number)
      case .double(let number): .real(number)
      case .string(let text): .text(text)
      case .blob(let data): .bytes([UInt8](data))
      }
  }
}

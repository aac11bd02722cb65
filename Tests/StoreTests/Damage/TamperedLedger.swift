import Foundation
import GRDB
import Support
import Testing

@testable import Store

/// Somebody with the file, a tool and time: the database of a ledger without its triggers and constraints.
struct TamperedLedger {
  let queue: DatabaseQueue

  /// - Parameter path: of a database nobody has open.
  init(path: String) throws {
    var configuration = ConnectionSettings.configuration(readonly: false, wait: BusyWait(random: { 0 }))
    configuration.foreignKeysEnabled = false
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { database in
      for trigger in try String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
        try database.execute(sql: "DROP TRIGGER \(trigger)")
      }
      try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
    }
  }

  /// Makes a change, looks what the audit finds, and undoes it.
  func findings(after change: (Database) throws -> Void) throws -> [LedgerAudit.Finding] {
    var findings: [LedgerAudit.Finding] = []
    try queue.writeWithoutTransaction { database in
      try database.inTransaction(.immediate) {
        try change(database)
        findings = try LedgerAudit.findings(in: SQLiteSession(database))
        return .rollback
      }
    }
    return findings
  }

  /// The keys of a table's rows.
  func keys(of table: LedgerTable) throws -> [DatabaseValue] {
    try queue.read { try DatabaseValue.fetchAll($0, sql: "SELECT \(table.columns[0]) FROM \(table.name)") }
  }

  /// Changes one bit of one value; another one where that would be the key of another row.
  static func flip(
    _ column: String, of table: LedgerTable, key: DatabaseValue, in database: Database, random: inout SplitMix64
  ) throws {
    let row = "WHERE \(table.columns[0]) = ?"
    let value = try DatabaseValue.fetchOne(
      database, sql: "SELECT \(column) FROM \(table.name) \(row)", arguments: [key])
    for _ in 0..<64 {
      let (place, changed) = flipped(value ?? .null, random: &random)
      do {
        return try database.execute(
          sql: "UPDATE \(table.name) SET \(column) = \(place) \(row)", arguments: [changed, key])
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {}
    }
    Issue.record("no bit of \(table.name).\(column) can be changed")
  }

  /// - Returns: how the value is written into a statement, and the value.
  private static func flipped(_ value: DatabaseValue, random: inout SplitMix64) -> (String, DatabaseValue) {
    if value.isNull { return ("?", 1.databaseValue) }
    if case .int64(let number) = value.storage {
      return ("?", (number ^ (1 << Int64.random(in: 0..<63, using: &random))).databaseValue)
    }
    var bytes = Array((String.fromDatabaseValue(value) ?? "").utf8)
    if bytes.isEmpty {
      bytes = [0x30]
    } else {
      bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    // As bytes: it need not be a text any more.
    return ("CAST(? AS TEXT)", Data(bytes).databaseValue)
  }
}

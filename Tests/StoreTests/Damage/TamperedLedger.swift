import GRDB
import Support
import Testing

@testable import Store

/// Somebody with the database, a tool and time: the tables of a ledger without their triggers and constraints.
struct TamperedLedger {
  private let tables: LedgerTables

  /// Undoes a transaction in which nothing went wrong.
  private struct Undone: Error {}

  /// - Parameter fixture: whose database nobody has open.
  init(_ fixture: StoreFixture) throws {
    tables = try LedgerTables(of: fixture)
    try tables.dropRules()
  }

  /// Makes a change, looks what the audit finds, and undoes it.
  func findings(after change: (any SQLSession) throws -> Void) throws -> [LedgerAudit.Finding] {
    var findings: [LedgerAudit.Finding] = []
    do {
      try tables.write { session in
        try change(session)
        findings = try LedgerAudit.findings(in: session)
        throw Undone()
      }
    } catch is Undone {}
    return findings
  }

  func read<Value>(_ work: (any SQLSession) throws -> Value) throws -> Value { try tables.read(work) }

  /// The keys of a table's rows.
  func keys(of table: LedgerTable) throws -> [SQLValue] {
    try tables.read { try $0.values("SELECT \(table.columns[0]) FROM \(table.name)") }
  }

  /// Changes one bit of one value; another one where that would be the key of another row, or no text of the engine.
  static func flip(
    _ column: String, of table: LedgerTable, key: SQLValue, in session: any SQLSession, random: inout SplitMix64
  ) throws {
    let row = "WHERE \(table.columns[0]) = ?"
    let value: SQLValue = try session.value("SELECT \(column) FROM \(table.name) \(row)", [key]) ?? .null
    for _ in 0..<64 {
      let (place, changed) = flipped(value, random: &random)
      if TestDatabase.isUsed { try session.run("SAVEPOINT flip") }
      do {
        _ = try session.change("UPDATE \(table.name) SET \(column) = \(place) \(row)", [changed, key])
        return
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      } catch let fault as PostgreSQLFault where ["23505", "22021"].contains(fault.state) {
        try session.run("ROLLBACK TO SAVEPOINT flip")
      }
    }
    Issue.record("no bit of \(table.name).\(column) can be changed")
  }

  /// - Returns: how the value is written into a statement, and the value.
  private static func flipped(_ value: SQLValue, random: inout SplitMix64) -> (String, SQLValue) {
    var bytes: [UInt8]
    switch value {
    case .null, .real: return ("?", .integer(1))
    case .integer(let number): return ("?", .integer(number ^ (1 << Int64.random(in: 0..<63, using: &random))))
    case .text(let text): bytes = Array(text.utf8)
    case .bytes(let stored): bytes = stored
    }
    if bytes.isEmpty {
      bytes = [0x30]
    } else {
      bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    // As bytes: it need not be a text any more.
    return (TestDatabase.isUsed ? "convert_from(?, 'UTF8')" : "CAST(? AS TEXT)", .bytes(bytes))
  }
}

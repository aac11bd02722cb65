import AtelierProtocol
import GRDB
import Support
import Testing

@testable import Store

@Suite("A ledger that somebody changed behind its back")
struct LedgerDamageTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private func tampered() async throws -> TamperedLedger {
    let store = try await fixture.open()
    try await LedgerScene.fill(store, of: fixture)
    #expect(try await store.auditLedger() == [])
    await store.close()
    let ledger = try TamperedLedger(path: fixture.directory.database)
    #expect(try ledger.findings { _ in } == [])
    return ledger
  }

  @Test("a changed ledger is found out by any bit of any value of any row of any table")
  func flippedBits() async throws {
    let ledger = try await tampered()
    var random = SplitMix64(seed: 7)
    for table in LedgerTable.all {
      let keys = try ledger.keys(of: table)
      #expect(!keys.isEmpty, "nothing is in \(table.name)")
      for key in keys {
        for column in table.columns + ["hash"] {
          let findings = try ledger.findings { database in
            try TamperedLedger.flip(column, of: table, key: key, in: database, random: &random)
          }
          #expect(
            findings.contains { $0.what == "\(table.name) row is not what was written" },
            "\(table.name).\(column) of \(key): \(findings)")
        }
      }
    }
  }

  @Test("a changed ledger is found out by a row that is gone, from any table")
  func deletedRows() async throws {
    let ledger = try await tampered()
    for table in LedgerTable.all {
      for key in try ledger.keys(of: table) {
        let findings = try ledger.findings { database in
          try database.execute(sql: "DELETE FROM \(table.name) WHERE \(table.columns[0]) = ?", arguments: [key])
        }
        #expect(!findings.isEmpty, "\(table.name) \(key)")
      }
    }
  }

  @Test("a changed ledger is found out by a balance that was raised, lowered or taken away", arguments: ["account", "grant"])
  func balances(of what: String) async throws {
    let ledger = try await tampered()
    let key = what == "account" ? "account" : "grant_id"
    let keys = try await ledger.queue.read { try String.fetchAll($0, sql: "SELECT \(key) FROM \(what)_balance") }
    let changes = [
      "UPDATE \(what)_balance SET available = available + 1", "UPDATE \(what)_balance SET held = held - 1",
      "UPDATE \(what)_balance SET available = available + 1, held = held - 1", "DELETE FROM \(what)_balance",
    ]
    #expect(!keys.isEmpty)
    for row in keys {
      for change in changes {
        let findings = try ledger.findings { try $0.execute(sql: "\(change) WHERE \(key) = ?", arguments: [row]) }
        #expect(
          findings.contains { $0.subject == row && $0.what == "balance of the \(what) is not the sum of its transfers" },
          "\(change) of \(row): \(findings)")
      }
    }
  }

  @Test("a changed ledger is found out by transfers that changed places, though each has its right hash")
  func swapped() async throws {
    let ledger = try await tampered()
    let count = try ledger.keys(of: .transfers).count
    for first in 1..<count {
      let findings = try ledger.findings { database in
        for (from, to) in [(first, -1), (first + 1, first), (-1, first + 1)] {
          try database.execute(sql: "UPDATE transfer SET seq = ? WHERE seq = ?", arguments: [to, from])
        }
        try Self.rehash([first, first + 1], in: database)
      }
      #expect(findings.contains { $0.what == "transfer does not follow from the one before it" }, "\(first)")
    }
  }

  @Test("a changed ledger is found out by a forged transfer with its right hash", arguments: [false, true])
  func forged(isChained: Bool) async throws {
    let ledger = try await tampered()
    let findings = try ledger.findings { database in
      let last = try #require(try SQLiteSession(database).transfers.last())
      let grant = try #require(try Row.fetchOne(database, sql: "SELECT * FROM credit_grant WHERE kind = 'operator'"))
      let account: String = grant["account"]
      let available = try Int.fetchOne(
        database, sql: "SELECT available FROM account_balance WHERE account = ?", arguments: [account])
      let transfer = CreditTransfer(
        seq: last.seq + 1, kind: .grant, account: AccountID(rawValue: account), grant: grant["id"], amount: 5,
        availableAfter: (available ?? 0) + 5, created: last.created,
        previousHash: isChained ? last.hash : String(repeating: "0", count: 64))
      _ = try SQLiteSession(database).transfers.insert(transfer)
      for (table, key, value) in [("account", "account", account), ("grant", "grant_id", grant["id"])] {
        try database.execute(
          sql: "UPDATE \(table)_balance SET available = available + 5 WHERE \(key) = ?", arguments: [value])
      }
    }
    let finding = isChained ? "grant was not given exactly once" : "transfer does not follow from the one before it"
    #expect(findings.contains { $0.what == finding }, "\(findings)")
  }

  @Test("a changed ledger is found out by a transfer changed with its hash, for the next one remembers the old one")
  func rehashed() async throws {
    let ledger = try await tampered()
    let count = try ledger.keys(of: .transfers).count
    for seq in 1..<count {
      let findings = try ledger.findings { database in
        try database.execute(sql: "UPDATE transfer SET created = created + 1 WHERE seq = ?", arguments: [seq])
        try Self.rehash([seq], in: database)
      }
      #expect(
        findings == [.init(what: "transfer does not follow from the one before it", subject: "\(seq + 1)")], "\(seq)")
    }
  }

  private static func rehash(_ keys: [Int], in database: Database) throws {
    for key in keys { try LedgerTable.transfers.rehash(String(key), in: SQLiteSession(database)) }
  }
}

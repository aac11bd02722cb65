import AtelierProtocol
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
    let ledger = try TamperedLedger(fixture)
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
        // Of each row a few values only, where each look takes longer.
        let columns = (table.columns + ["hash"]).shuffled(using: &random)
        for column in columns.prefix(TestDatabase.isUsed ? 2 : columns.count) {
          let findings = try ledger.findings { session in
            try TamperedLedger.flip(column, of: table, key: key, in: session, random: &random)
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
        let findings = try ledger.findings { session in
          try session.run("DELETE FROM \(table.name) WHERE \(table.columns[0]) = ?", [key])
        }
        #expect(!findings.isEmpty, "\(table.name) \(key)")
      }
    }
  }

  @Test("a changed ledger is found out by a balance that was raised, lowered or taken away", arguments: ["account", "grant"])
  func balances(of what: String) async throws {
    let ledger = try await tampered()
    let key = what == "account" ? "account" : "grant_id"
    let keys = try ledger.read { try $0.values("SELECT \(key) FROM \(what)_balance", as: String.self) }
    let changes = [
      "UPDATE \(what)_balance SET available = available + 1", "UPDATE \(what)_balance SET held = held - 1",
      "UPDATE \(what)_balance SET available = available + 1, held = held - 1", "DELETE FROM \(what)_balance",
    ]
    #expect(!keys.isEmpty)
    for row in keys {
      for change in changes {
        let findings = try ledger.findings { try $0.run("\(change) WHERE \(key) = ?", [row]) }
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
      let findings = try ledger.findings { session in
        for (from, to) in [(first, -1), (first + 1, first), (-1, first + 1)] {
          try session.run("UPDATE transfer SET seq = ? WHERE seq = ?", [to, from])
        }
        try Self.rehash([first, first + 1], in: session)
      }
      #expect(findings.contains { $0.what == "transfer does not follow from the one before it" }, "\(first)")
    }
  }

  @Test("a changed ledger is found out by a forged transfer with its right hash", arguments: [false, true])
  func forged(isChained: Bool) async throws {
    let ledger = try await tampered()
    let findings = try ledger.findings { session in
      let last = try #require(try session.transfers.last())
      let row = try #require(try session.row("SELECT id, account FROM credit_grant WHERE kind = 'operator'"))
      let (grant, account): (String, String) = (try row.value("id"), try row.value("account"))
      let available: Int? = try session.value("SELECT available FROM account_balance WHERE account = ?", [account])
      let transfer = CreditTransfer(
        seq: last.seq + 1, kind: .grant, account: AccountID(rawValue: account), grant: grant, amount: 5,
        availableAfter: (available ?? 0) + 5, created: last.created,
        previousHash: isChained ? last.hash : String(repeating: "0", count: 64))
      _ = try session.transfers.insert(transfer)
      for (table, key, value) in [("account", "account", account), ("grant", "grant_id", grant)] {
        try session.run("UPDATE \(table)_balance SET available = available + 5 WHERE \(key) = ?", [value])
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
      let findings = try ledger.findings { session in
        try session.run("UPDATE transfer SET created = created + 1 WHERE seq = ?", [seq])
        try Self.rehash([seq], in: session)
      }
      #expect(
        findings == [.init(what: "transfer does not follow from the one before it", subject: "\(seq + 1)")], "\(seq)")
    }
  }

  private static func rehash(_ keys: [Int], in session: any SQLSession) throws {
    for key in keys { try LedgerTable.transfers.rehash(String(key), in: session) }
  }
}

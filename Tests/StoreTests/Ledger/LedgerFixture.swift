import AtelierProtocol
import Support
import Synchronization
import Testing

@testable import Store

/// A ledger alone: today's tables, a clock that is set by hand, ids in the order in which they are made.
final class LedgerFixture {
  let tables: LedgerTables
  let rules = CreditRules()
  /// The system's clock; what is set here may be a jump.
  var system: Int64 = 1_800_000_000_000
  private let numbers = Numbers()

  init() throws {
    tables = try LedgerTables()
  }

  var surroundings: StoreSurroundings {
    StoreSurroundings(
      now: { [system] in Timestamp(milliseconds: system) }, makeIdentifier: { [numbers] in $0 + numbers.next() },
      random: { 0 })
  }

  /// Numbers of one width, so that their alphabetical order is that of their making.
  private final class Numbers: Sendable {
    private let last = Mutex(1_000_000_000)

    func next() -> String {
      last.withLock { last in
        last += 1
        return String(last)
      }
    }
  }

  /// Lets so much time pass, in milliseconds, that nobody doubts.
  func pass(_ milliseconds: Int64) throws {
    system += milliseconds
    try confirmClock()
  }

  func confirmClock() throws {
    try tables.write { try ClockReading.trust(Timestamp(milliseconds: system), in: $0) }
  }

  /// One transaction, as the store makes it.
  @discardableResult
  func write<Value>(_ work: (Ledger) throws -> Value) throws -> Value {
    try tables.write { session in
      try ClockReading.record(Timestamp(milliseconds: system), in: session)
      return try work(Ledger(in: session, rules: rules, surroundings: surroundings))
    }
  }

  /// The same for one account, made known and brought up to date first, as the store does it.
  @discardableResult
  func write<Value>(of account: AccountID, _ work: (Ledger) throws -> Value) throws -> Value {
    try write { ledger in
      try ledger.know(account)
      try ledger.bringUpToDate(account)
      return try work(ledger)
    }
  }

  /// Lets an operator give credits, once for each key.
  func give(_ amount: Int, to account: AccountID, key: String) throws {
    let isNew = try write { try $0.gift(amount, to: account, for: "operator:\(key)", because: "a test") }
    #expect(isNew)
  }

  /// Lets an operator take available credits back.
  func take(_ amount: Int, from account: AccountID, payment: String? = nil) throws {
    let source = "operator:\(surroundings.makeIdentifier("taken_"))"
    let outcome = try write {
      try $0.revoke(AskedRevocation(amount: amount, account: account, source: source, reason: "a test", payment: payment))
    }
    #expect(outcome.taken == amount)
  }

  /// A generation that runs, so that something can be held for it.
  func begin(_ generation: GenerationID, of account: AccountID) throws {
    try tables.write { session in
      try session.run(
        """
        INSERT INTO generation (
          id, account, process, recipe, state, phase, message, sequence, created, request, params_hash, is_private,
          is_detached, is_requeueable)
        VALUES (?, ?, 'owner_1', 'create', 'running', 'processing', '', 1, 0, '{}', ?, 0, 0, 0)
        """,
        [generation.rawValue, account.rawValue, String(repeating: "0", count: 64)])
    }
  }

  /// What the store does with the row when a generation ends.
  func end(_ generation: GenerationID, charged: Int, in session: any SQLSession) throws {
    if charged > 0 {
      try session.run(
        """
        INSERT INTO generation_file (generation_id, role, position, sha256, mime_type, bytes, width, height)
        VALUES (?, 'image', 0, ?, 'image/png', 1, 1, 1)
        """,
        [generation.rawValue, String(repeating: "0", count: 64)])
    }
    try session.run(
      "UPDATE generation SET state = ?, finished = 0, credits_charged = ? WHERE id = ?",
      [charged > 0 ? "succeeded" : "failed", charged, generation.rawValue])
  }

  /// The number that a query answers with; 0 for none.
  func number(_ query: String) throws -> Int { try tables.read { try $0.value(query) ?? 0 } }

  func balance(of account: AccountID) throws -> CreditBalance { try write(of: account) { try $0.balance(of: account) } }

  func findings() throws -> [LedgerAudit.Finding] { try tables.read { try LedgerAudit.findings(in: $0) } }
}

extension Purchase {
  /// A purchase as far as a refund of it matters.
  static func named(_ source: String, of account: AccountID = "anna") -> Purchase {
    Purchase(
      source: source, account: account, product: "p", kind: .bundle, credits: 8, quantity: 1,
      purchasedAt: Timestamp(milliseconds: 0), expiresAt: nil)
  }
}

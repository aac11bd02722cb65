import AtelierProtocol
import Foundation
import Support
import Testing

@testable import Store

@Suite("The ledger, whatever happens in whatever order")
struct LedgerRandomTests {
  /// A short slice by default, shorter where each step waits for a server; a million operations with `make proofs`, more
  /// with ATELIER_LEDGER_STEPS.
  private static let steps: Int = {
    let environment = ProcessInfo.processInfo.environment
    let asked = environment["ATELIER_LEDGER_STEPS"].flatMap { Int($0) }
    let usual = TestDatabase.isUsed ? 4_000 : 12_000
    return asked ?? (environment["ATELIER_PROOFS"] == nil ? usual : 1_000_000)
  }()
  private static let stepsPerRun = TestDatabase.isUsed ? 2_000 : 4_000

  @Test(
    "the ledger does what the model does, and the audit finds nothing", arguments: 0..<UInt64(max(1, steps / stepsPerRun)))
  func model(seed: UInt64) throws {
    var run = try LedgerRun(seed: seed)
    for step in 0..<Self.stepsPerRun {
      try run.step()
      // Every step while the ledger is small, then a sample, for the audit reads all of it.
      if step < 100 || step % 400 == 0 { try run.audit() }
    }
    try run.audit()
    run.summarise()
  }
}

/// One random run: each operation is done by the ledger and by the model, some are crashed at a random statement first.
private struct LedgerRun {
  let seed: UInt64
  var random: SplitMix64
  let fixture: LedgerFixture
  var model: LedgerModel
  private var generations = 0
  private var sources = 0
  private var revocations = 0
  private var keys: [String: AskedRevocation] = [:]
  private var crashes = 0
  /// What the clock shows again when it is put right.
  private var rightTime: Int64?
  private var done: [String: Int] = [:]

  init(seed: UInt64) throws {
    self.seed = seed
    random = SplitMix64(seed: seed)
    fixture = try LedgerFixture()
    model = LedgerModel(rules: fixture.rules)
  }

  mutating func audit() throws {
    let findings = try fixture.findings()
    #expect(findings.isEmpty, "seed \(seed): \(findings.prefix(5))")
    let rows = try fixture.tables.read { try $0.rows("SELECT account, available, held FROM account_balance") }
    #expect(rows.count == model.accounts.count, "seed \(seed)")
    for row in rows {
      let account = AccountID(rawValue: try row.value("account"))
      let (available, held): (Int, Int) = (try row.value("available"), try row.value("held"))
      #expect(available == model.accounts[account]?.available, "seed \(seed), \(account)")
      #expect(held == model.accounts[account]?.held, "seed \(seed), \(account)")
    }
  }

  func summarise() { print("ledger seed \(seed): \(done.sorted { $0.key < $1.key }), \(crashes) crashed first") }

  /// One that acts today: the service puts it in the place of those that were merged into it.
  private mutating func account() -> AccountID { model.present(AccountID(rawValue: "a\(random.next() % 20)")) }
  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func step() throws {
    try moveClock()
    let account = account()
    switch random.next() % 40 {
    case 0: try delete(account)
    case 1, 2: try signIn(account)
    case 3, 4: try gift(account)
    case 5..<9: try buy(account)
    case 9, 10: try refund()
    case 11, 12: try revoke(account)
    case 13: try check(account)
    case 14: try setTier(account)
    case 15..<28: try hold(account)
    default: try endHold()
    }
  }

  private mutating func moveClock() throws {
    let minute: Int64 = 60_000
    switch random.next() % 60 {
    case 0: fixture.system += Int64(number(1...40)) * 1_440 * minute
    case 1: fixture.system -= Int64(number(1...4)) * minute
    case 2: fixture.system -= Int64(number(6...3_000)) * minute
    case 3, 4: fixture.system += Int64(number(1...600)) * minute
    case 5:
      let isWrong = rightTime != nil
      (fixture.system, rightTime) = (rightTime ?? fixture.system + Int64(number(3...800)) * 1_440 * minute, fixture.system)
      if isWrong { rightTime = nil }
    case 6:
      done["confirm", default: 0] += 1
      try fixture.confirmClock()
      model.confirmClock(fixture.system)
    default: fixture.system += Int64(number(0...30_000))
    }
  }

  /// Does `work` in a transaction, perhaps after some tries that die at a random statement and must leave no trace.
  private mutating func transact<Value>(
    _ name: String, of account: AccountID?, _ work: (Ledger) throws -> Value
  ) throws -> Value {
    done[name, default: 0] += 1
    func whole(_ ledger: Ledger) throws -> Value {
      if let account {
        try ledger.know(account)
        try ledger.bringUpToDate(account)
      }
      return try work(ledger)
    }
    if random.next() % 8 == 0 { try crash(after: number(1...25), whole) }
    return try fixture.write(whole)
  }

  private mutating func crash<Value>(after statements: Int, _ work: (Ledger) throws -> Value) throws {
    let before = try contents()
    try fixture.tables.crash(after: statements) { session in
      _ = try work(Ledger(in: session, rules: fixture.rules, surroundings: fixture.surroundings))
    }
    #expect(try contents() == before, "seed \(seed): a crash left something")
    crashes += 1
  }

  /// As much as tells whether anything changed.
  private func contents() throws -> [SQLValue]? {
    try fixture.tables.read { session in
      try session.row(
        """
        SELECT (SELECT count(*) FROM account), (SELECT count(*) FROM credit_grant), (SELECT max(seq) FROM transfer),
          (SELECT count(*) FROM hold), (SELECT count(*) FROM hold_end), (SELECT count(*) FROM receipt),
          (SELECT sum(available * 1000003 + held) FROM account_balance),
          (SELECT sum(available * 1000003 + held) FROM grant_balance), (SELECT count(*) FROM subscription),
          (SELECT count(*) FROM grant_refund), (SELECT count(*) FROM shortfall_payment),
          (SELECT count(merged_into) FROM account), (SELECT min(id) FROM account), (SELECT count(*) FROM generation)
        """)?.values
    }
  }

  /// What the store does before each operation on an account.
  private mutating func enter(_ account: AccountID) {
    model.look(at: fixture.system)
    model.know(account)
    model.bringUpToDate(account)
  }

  private mutating func check(_ account: AccountID) throws {
    enter(account)
    let balance = try transact("check", of: account) { try $0.balance(of: account) }
    let known = model.accounts[account]
    #expect(balance.available == known?.available && balance.held == known?.held, "seed \(seed)")
    #expect(balance.shortfall == known?.shortfall, "seed \(seed)")
    let isPremium = !model.running(account).isEmpty
    #expect(balance.tier == (isPremium ? .premium : known?.tier), "seed \(seed)")
    let wanted = known?.buckets.filter { $0.available + $0.held > 0 }.map { [$0.amount, $0.available, $0.held] } ?? []
    let found = balance.buckets.map { [$0.amount, $0.available, $0.held] }
    #expect(found.sorted { $0.lexicographicallyPrecedes($1) } == wanted.sorted { $0.lexicographicallyPrecedes($1) })
  }

  private mutating func signIn(_ account: AccountID) throws {
    let (subject, isLinking) = ("person \(random.next() % 12)", random.next() % 4 == 0)
    enter(account)
    let wanted = model.signIn(subject, as: account, isLinking: isLinking)
    do {
      let found = try transact("sign in", of: account) {
        try $0.signIn(Identity(provider: "email", subject: subject), as: account, isLinking: isLinking)
      }
      #expect(found.account == wanted?.account && found.granted == wanted?.granted, "seed \(seed)")
      #expect(found.hasMerged == wanted?.hasMerged, "seed \(seed)")
      if found.hasMerged { done["merge", default: 0] += 1 }
    } catch LedgerRefusal.unfinished {
      #expect(wanted == nil, "seed \(seed)")
      // The refusal has undone what had come due.
      try fixture.write(of: account) { _ in }
    }
  }

  private mutating func delete(_ account: AccountID) throws {
    if model.hasOpenHolds(account) { return }
    enter(account)
    model.delete(account, at: fixture.system)
    try transact("delete", of: account) { ledger in
      try ledger.session.run("DELETE FROM generation WHERE account = ?", [account.rawValue])
      try ledger.session.accounts.deleteNames(of: account, at: ledger.system)
    }
  }

  private mutating func gift(_ account: AccountID) throws {
    let (amount, source) = (number(1...5), payment())
    model.look(at: fixture.system)
    let wanted = model.gift(amount, to: account, source: source)
    do {
      let found = try transact("gift", of: nil) {
        try $0.gift(amount, to: account, for: "operator:\(source)", because: "a test")
      }
      #expect(found == wanted, "seed \(seed)")
    } catch LedgerRefusal.keyReused {
      #expect(wanted == nil, "seed \(seed)")
    }
  }

  /// The key of a payment that has come, or may still come: accounts are deleted and return meanwhile.
  private mutating func payment() -> String { "\(random.next() % 400)" }

  private mutating func buy(_ account: AccountID) throws {
    let isNew = random.next() % 3 != 0
    if isNew { sources += 1 }
    let source = "apple:\(isNew ? sources : number(0...max(1, sources)))"
    let isBundle = Bool.random(using: &random)
    let purchased = fixture.system - Int64(number(0...20)) * 86_400_000
    let purchase = Purchase(
      source: source, account: account, product: Bool.random(using: &random) ? "p" : "q",
      kind: isBundle ? .bundle : .subscription, credits: isBundle ? 8 : number(1...20),
      quantity: isBundle ? number(1...2) : 1, purchasedAt: Timestamp(milliseconds: purchased),
      expiresAt: isBundle ? nil : Timestamp(milliseconds: purchased + Int64(number(1...100)) * 86_400_000))
    model.look(at: fixture.system)
    let wanted = model.record(purchase)
    let found = try transact("buy", of: nil) { try $0.record(purchase) }
    #expect(found.kind == wanted, "seed \(seed)")
  }

  private mutating func refund() throws {
    let source = "apple:\(number(0...max(1, sources)))"
    let purchase = Purchase.named(source, of: account())
    model.look(at: fixture.system)
    let wanted = model.refund(source)
    let found = try transact("refund", of: nil) { try $0.refund(purchase, at: $0.now) }
    #expect(found == wanted, "seed \(seed)")
  }

  private mutating func setTier(_ account: AccountID) throws {
    let tier = [Tier.premium, .premium, .free, .guest][number(0...3)]
    enter(account)
    let start = random.next() % 3 == 0 ? fixture.system + Int64(number(-60...10)) * 86_400_000 : nil
    model.set(tier, of: account, from: start)
    try transact("set", of: account) {
      _ = try $0.set(tier, of: account, from: start.map { Timestamp(milliseconds: $0) })
    }
  }

  private mutating func revoke(_ account: AccountID) throws {
    revocations += 1
    // A key of its own, now and then that of a payment, or one that names a payment, whoever has that.
    let (amount, isRefund, owes) = (number(1...6), random.next() % 2 == 0, [true, false, nil][number(0...2)])
    let key = !isRefund && random.next() % 4 == 0 ? payment() : "revocation \(revocations)"
    if keys[key] != nil { return }
    let asked = AskedRevocation(
      amount: amount, account: account, source: "operator:\(key)", reason: "a test",
      payment: isRefund ? "operator:\(payment())" : nil, owes: owes)
    model.look(at: fixture.system)
    let wanted = model.revoke(
      amount, from: account, source: key, payment: asked.payment.map { String($0.dropFirst("operator:".count)) }, owes: owes)
    guard wanted != .refused else {
      do {
        _ = try transact("refuse", of: nil) { try $0.revoke(asked) }
        Issue.record("seed \(seed): it is not refused")
      } catch is LedgerRefusal {}
      // The refusal has undone what had come due.
      if model.accounts[account] != nil { try fixture.write(of: account) { _ in } }
      model.bringUpToDate(account)
      return
    }
    keys[key] = asked
    for isNew in [true, false] {
      let found = try transact(wanted == .waits ? "wait" : isRefund ? "refund in part" : "revoke", of: nil) {
        try $0.revoke(asked)
      }
      let outcome: LedgerModel.Revoked = found.isWaiting ? .waits : .taken(found.taken, owed: found.owed)
      // Repeated, it changes nothing, which the comparison with the model shows.
      #expect(found.isNew == isNew, "seed \(seed)")
      #expect(outcome == (isNew || wanted == .waits ? wanted : .taken(0, owed: 0)), "seed \(seed)")
    }
    model.bringUpToDate(account)
  }

  private mutating func hold(_ account: AccountID) throws {
    generations += 1
    let (generation, amount) = (GenerationID(rawValue: "gen_\(generations)"), number(1...6))
    try fixture.begin(generation, of: account)
    enter(account)
    let wanted = model.hold(amount, for: generation, of: account)
    let found = try isDone(of: account) {
      try $0.transact("hold", of: account) { try $0.hold(amount, for: generation, of: account) }
    }
    #expect(found == wanted, "seed \(seed)")
    if !found { try fixture.tables.write { try fixture.end(generation, charged: 0, in: $0) } }
  }

  private mutating func endHold() throws {
    let ids = model.holds.keys.sorted()
    guard let generation = ids.isEmpty ? nil : ids[number(0...(ids.count - 1))] else { return }
    let captured = number(0...7)
    model.look(at: fixture.system)
    let wanted = model.endHold(generation, capturing: captured)
    let fixture = fixture
    let found = try transact("end", of: nil) { ledger in
      let taken = try ledger.endHold(for: generation, capturing: captured, because: "test")
      try fixture.end(generation, charged: taken ?? 0, in: ledger.session)
      return taken
    }
    #expect(found == wanted, "seed \(seed)")
  }

  /// Whether it was done; false when the ledger refused for want of credits.
  private mutating func isDone(of account: AccountID, _ work: (inout LedgerRun) throws -> Void) throws -> Bool {
    do {
      try work(&self)
      return true
    } catch let refusal as LedgerRefusal where refusal.atelierError.kind == .insufficientCredits {
      // The refusal has undone what had come due.
      try fixture.write(of: account) { _ in }
      return false
    }
  }
}

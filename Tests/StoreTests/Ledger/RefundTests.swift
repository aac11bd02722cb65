import AtelierProtocol
import Testing

@testable import Store

@Suite("A refunded purchase")
struct RefundTests {
  let fixture: LedgerFixture
  init() throws { fixture = try LedgerFixture() }

  private let day: Int64 = 86_400_000
  private let anna: AccountID = "anna"

  private func purchase(
    _ kind: CreditProduct.Kind, _ credits: Int, source: String, account: AccountID = "anna", from start: Int64? = nil,
    days: Int64? = nil, product: ProductID = "p"
  ) -> Purchase {
    let start = start ?? fixture.system
    return Purchase(
      source: source, account: account, product: product, kind: kind, credits: credits, quantity: 1,
      purchasedAt: Timestamp(milliseconds: start), expiresAt: days.map { Timestamp(milliseconds: start + $0 * day) })
  }

  private func buy(_ kind: CreditProduct.Kind, _ credits: Int, source: String, days: Int64? = nil) throws {
    let bought = purchase(kind, credits, source: source, days: days)
    #expect(try fixture.write { try $0.record(bought) }.kind == .counted)
  }

  private func spend(_ amount: Int, for generation: GenerationID) throws {
    try fixture.begin(generation, of: anna)
    try fixture.write(of: anna) { ledger in
      try ledger.hold(amount, for: generation, of: anna)
      #expect(try ledger.endHold(for: generation, capturing: amount, because: "test") == amount)
      try fixture.end(generation, charged: amount, in: ledger.session)
    }
  }

  private func refund(_ source: String) throws -> Bool { try fixture.write { try $0.refund(.named(source), at: $0.now) } }

  @Test("a refunded purchase that nobody had sent before is worth nothing from then on, for anybody", arguments: [
    CreditProduct.Kind.bundle, .subscription,
  ])
  func unseen(kind: CreditProduct.Kind) throws {
    let bought = purchase(kind, 8, source: "apple:1", days: kind == .bundle ? nil : 30)
    #expect(try !fixture.write { try $0.refund(bought, at: $0.now) }, "nothing was granted")
    #expect(try fixture.write { try $0.record(bought) }.kind == .refunded)
    let other = purchase(kind, 8, source: "apple:1", account: "ben", days: kind == .bundle ? nil : 30)
    #expect(try fixture.write { try $0.record(other) }.kind == .refunded)
    #expect(try !fixture.write { try $0.refund(bought, at: $0.now) }, "once")
    #expect(try fixture.number("SELECT count(*) FROM account") == 0, "nobody exists by it")
    let balance = try fixture.balance(of: anna)
    #expect(balance.available == 1 && balance.shortfall == 0)
    #expect(try fixture.findings() == [])
  }

  @Test("a refunded purchase that was spent blocks every hold, other credits or not, until later ones have paid it")
  func debt() throws {
    _ = try fixture.balance(of: anna)
    try buy(.bundle, 8, source: "apple:1")
    try buy(.bundle, 5, source: "apple:2")
    try spend(9, for: "gen_1")
    #expect(try refund("apple:1"))
    var balance = try fixture.balance(of: anna)
    #expect(balance.available == 5 && balance.shortfall == 8, "what was bought besides is not touched")
    try fixture.begin("gen_2", of: anna)
    for (gift, rest) in [(0, 8), (7, 1), (1, 0)] {
      if gift > 0 { try give(gift, key: "\(gift)") }
      balance = try fixture.balance(of: anna)
      #expect(balance.available == 5 && balance.shortfall == rest)
      if rest == 0 { break }
      for amount in [1, 5, 6] {
        let error = #expect(throws: LedgerRefusal.self) {
          try fixture.write(of: anna) { try $0.hold(amount, for: "gen_2", of: anna) }
        }
        let refusal = error?.atelierError
        #expect(refusal?.kind == .insufficientCredits)
        #expect(refusal?.details["shortfall"]?.int64 == Int64(rest))
        #expect(refusal?.details["available"] == 5)
      }
      #expect(try fixture.balance(of: anna).held == 0)
    }
    try fixture.write(of: anna) { try $0.hold(5, for: "gen_2", of: anna) }
    #expect(try fixture.balance(of: anna).held == 5)
    #expect(try fixture.findings() == [])
  }

  @Test(
    "a refunded purchase that was a subscription ends it: no tier, no credits, no next month", arguments: [0, 45] as [Int64])
  func endsSubscription(daysLater: Int64) throws {
    _ = try fixture.balance(of: anna)
    try buy(.subscription, 168, source: "apple:1", days: 365)
    fixture.system += daysLater * day
    #expect(try fixture.balance(of: anna).available == 169)
    #expect(try refund("apple:1"))
    for _ in 0..<3 {
      let balance = try fixture.balance(of: anna)
      #expect(balance.tier == .guest && balance.available == 1 && balance.allocation == 1)
      #expect(balance.resetAt == nil && balance.shortfall == 0)
      #expect(try fixture.write { try $0.record(of: anna) }.premiumUntil == nil)
      fixture.system += 31 * day
    }
    #expect(try fixture.findings() == [])
  }

  @Test("a refunded purchase of several subscriptions takes its own months with it, and no other's")
  func oneOfSeveral() throws {
    _ = try fixture.balance(of: anna)
    // The sources begin alike.
    let plans = [purchase(.subscription, 10, source: "apple:1", days: 365)]
      + [purchase(.subscription, 20, source: "apple:10", days: 365, product: "large")]
    for plan in plans { _ = try fixture.write { try $0.record(plan) } }
    try fixture.pass(31 * day)
    #expect(try fixture.balance(of: anna).available == 21)
    #expect(try refund("apple:1"))
    var balance = try fixture.balance(of: anna)
    #expect(balance.tier == .premium && balance.available == 21 && balance.allocation == 20)
    try fixture.pass(31 * day)
    balance = try fixture.balance(of: anna)
    #expect(balance.tier == .premium && balance.available == 21)
    #expect(try fixture.findings() == [])
  }

  private func give(_ amount: Int, key: String) throws {
    let isNew = try fixture.write(of: anna) { try $0.gift(amount, to: anna, for: "operator:\(key)", because: "a test") }
    #expect(isNew)
  }

  private func revoke(
    _ amount: Int, from account: AccountID = "anna", key: String, payment: String? = nil, owes: Bool? = nil
  ) throws -> RevocationOutcome {
    try fixture.write { ledger in
      try ledger.revoke(
        AskedRevocation(
          amount: amount, account: account, source: "operator:\(key)", reason: "a test",
          payment: payment.map { "operator:\($0)" }, owes: owes))
    }
  }

  /// Available and owed.
  private func standing() throws -> [Int] {
    let balance = try fixture.balance(of: anna)
    return [balance.available ?? 0, balance.shortfall]
  }

  @Test("a refunded purchase that had paid an older debt leaves that debt unpaid again, however often it goes on")
  func debtPaidByRefunded() throws {
    _ = try fixture.balance(of: anna)
    try buy(.bundle, 8, source: "apple:0")
    try spend(9, for: "gen_1")
    #expect(try refund("apple:0"))
    #expect(try standing() == [0, 8])
    for round in 1...4 {
      try buy(.bundle, 8, source: "apple:\(round)")
      #expect(try standing() == [0, 0])
      #expect(try refund("apple:\(round)"))
      #expect(try standing() == [0, 8], "round \(round)")
    }
    // Subscriptions and gifts pay as well, and are taken back as well.
    try buy(.subscription, 20, source: "apple:9", days: 30)
    #expect(try standing() == [12, 0])
    #expect(try refund("apple:9"))
    #expect(try standing() == [0, 8])
    try give(10, key: "k")
    #expect(try standing() == [2, 0])
    #expect(try revoke(10, key: "k") == RevocationOutcome(taken: 2, owed: 8, isNew: true))
    #expect(try standing() == [0, 8])
    #expect(try fixture.findings() == [])
  }

  @Test("a refunded purchase with one debt paid by several leaves as much unpaid as each had paid")
  func chain() throws {
    _ = try fixture.balance(of: anna)
    try buy(.bundle, 8, source: "apple:1")
    try spend(9, for: "gen_1")
    #expect(try refund("apple:1"))
    try buy(.bundle, 3, source: "apple:2")
    try buy(.bundle, 7, source: "apple:3")
    #expect(try standing() == [2, 0])
    #expect(try refund("apple:2"))
    #expect(try standing() == [2, 3])
    try buy(.bundle, 4, source: "apple:4")
    #expect(try standing() == [3, 0])
    #expect(try refund("apple:3"))
    #expect(try standing() == [1, 5])
    #expect(try refund("apple:4"))
    #expect(try standing() == [0, 8])
    #expect(try fixture.findings() == [])
  }

  @Test("a refunded purchase that was a subscription takes back what replaced its expired credits, at any remove")
  func makegood() throws {
    _ = try fixture.balance(of: anna)
    try fixture.confirmClock()
    try buy(.subscription, 10, source: "apple:1", days: 30)
    for (id, amount, captured, days) in [("gen_1", 10, 1, 31), ("gen_2", 9, 0, 8)] as [(GenerationID, Int, Int, Int64)] {
      try fixture.begin(id, of: anna)
      try fixture.write(of: anna) { try $0.hold(amount, for: id, of: anna) }
      fixture.system += days * day
      try fixture.confirmClock()
      try fixture.write { ledger in
        _ = try ledger.endHold(for: id, capturing: captured, because: "test")
        try fixture.end(id, charged: captured, in: ledger.session)
      }
    }
    #expect(try standing() == [10, 0])
    try spend(4, for: "gen_3")
    #expect(try refund("apple:1"))
    #expect(try standing() == [1, 5])
    #expect(try fixture.findings() == [])
    // Each of what replaced them is taken back for itself, also where nothing of it was left.
    let rows = "FROM grant_refund WHERE grant_id IN (SELECT id FROM credit_grant WHERE kind = 'makegood')"
    #expect(try fixture.number("SELECT count(*) \(rows)") == 2)
    try fixture.tables.write { session in
      try session.disableTriggers(of: "grant_refund")
      try session.run("DELETE \(rows)")
    }
    let missing = try fixture.findings().filter {
      $0.what == "what replaced credits of a refunded purchase was not taken back"
    }
    #expect(missing.count == 1)
  }

  @Test("a refunded purchase is found whole though an operator took credits back: those that he gave go first")
  func afterRevocation() throws {
    _ = try fixture.balance(of: anna)
    try buy(.bundle, 8, source: "apple:1")
    try give(8, key: "gift")
    #expect(try revoke(8, key: "r").taken == 8)
    #expect(try standing() == [9, 0])
    #expect(try refund("apple:1"))
    #expect(try standing() == [1, 0])
    #expect(try fixture.findings() == [])
  }

  @Test("a refunded purchase owes what it paid of gifts that were taken back, but not what an operator took beyond")
  func paidGift() throws {
    _ = try fixture.balance(of: anna)
    try give(3, key: "gift")
    try spend(4, for: "gen_1")
    try buy(.bundle, 8, source: "apple:1")
    // Three of the five are those of the gift.
    #expect(try revoke(5, key: "r") == RevocationOutcome(taken: 5, owed: 0, isNew: true))
    #expect(try standing() == [3, 0])
    #expect(try refund("apple:1"))
    #expect(try standing() == [0, 3])
    #expect(try fixture.findings() == [])
  }

  @Test(
    "a refunded purchase sold by the host is owed with what was spent of it, unless the operator says otherwise",
    arguments: [
      nil, true, false,
    ] as [Bool?])
  func owed(owes: Bool?) throws {
    try give(8, key: "pi_1")
    try spend(6, for: "gen_1")
    if owes == false {
      let refusal = #expect(throws: LedgerRefusal.self) { try revoke(8, key: "pi_1", owes: owes) }?.atelierError
      #expect(refusal?.kind == .insufficientCredits && refusal?.details["available"] == 3)
      #expect(try standing() == [3, 0])
      return
    }
    #expect(try revoke(8, key: "pi_1", owes: owes) == RevocationOutcome(taken: 3, owed: 5, isNew: true))
    #expect(try revoke(8, key: "pi_1", owes: owes) == RevocationOutcome(taken: 0, owed: 0, isNew: false, earlier: 8))
    #expect(try standing() == [0, 5])
    try give(7, key: "pi_2")
    #expect(try standing() == [2, 0])
    #expect(try revoke(7, key: "pi_2", owes: owes) == RevocationOutcome(taken: 2, owed: 5, isNew: true))
    #expect(try standing() == [0, 5])
    #expect(try fixture.findings() == [])
  }

  @Test("a refund is not taken for one of a payment when another key, another account or a larger amount is named")
  func noPayment() throws {
    try give(8, key: "pi_1")
    try fixture.write(of: "bert") { _ = try $0.gift(20, to: "bert", for: "operator:pi_2", because: "a test") }
    try spend(6, for: "gen_1")
    for (amount, key) in [(8, "other"), (9, "pi_1"), (8, "pi_2")] {
      let refusal = #expect(throws: LedgerRefusal.self) { try revoke(amount, key: key) }?.atelierError
      #expect(refusal?.kind == .insufficientCredits)
    }
    #expect(try standing() == [3, 0])
    #expect(try fixture.findings() == [])
  }

  @Test("a revocation that is no refund, and may be one of a payment to come, is owed until that comes")
  func refundFirst() throws {
    _ = try fixture.balance(of: anna)
    #expect(try revoke(8, key: "pi_1", owes: true) == RevocationOutcome(taken: 1, owed: 7, isNew: true))
    try give(8, key: "pi_1")
    #expect(try standing() == [1, 0])
    #expect(try fixture.findings() == [])
  }

  @Test("a refunded purchase whose credits are held is paid with those that come back", arguments: [0, 3, 8])
  func held(captured: Int) throws {
    _ = try fixture.balance(of: anna)
    #expect(try revoke(1, key: "start").taken == 1)
    try give(8, key: "pi_1")
    try fixture.begin("gen_1", of: anna)
    try fixture.write(of: anna) { try $0.hold(8, for: "gen_1", of: anna) }
    #expect(try revoke(8, key: "pi_1") == RevocationOutcome(taken: 0, owed: 8, isNew: true))
    try fixture.write { ledger in
      _ = try ledger.endHold(for: "gen_1", capturing: captured, because: "test")
      try fixture.end("gen_1", charged: captured, in: ledger.session)
      let credits = try Ledger.credits(of: "gen_1", in: ledger.session)
      #expect(credits?.balanceAfter == 0)
    }
    #expect(try standing() == [0, captured])
    #expect(try fixture.findings() == [])
  }

  @Test("a refunded purchase owes what each of its months had brought and was spent")
  func monthsSpent() throws {
    _ = try fixture.balance(of: anna)
    try buy(.subscription, 10, source: "apple:1", days: 365)
    try spend(4, for: "gen_1")
    fixture.system += 31 * day
    try spend(5, for: "gen_2")
    #expect(try refund("apple:1"))
    let balance = try fixture.balance(of: anna)
    #expect(balance.shortfall == 9 && balance.available == 1)
    #expect(try fixture.findings() == [])
  }

  @Test("a refunded purchase is news once, and none when it was never counted")
  func once() throws {
    try buy(.bundle, 8, source: "apple:1")
    #expect(try !refund("apple:2"))
    #expect(try refund("apple:1"))
    let balance = try fixture.balance(of: anna)
    #expect(try !refund("apple:1"))
    #expect(try fixture.balance(of: anna) == balance)
  }

  @Test(
    "a refunded purchase submitted again is refused and brings nothing",
    arguments: [CreditProduct.Kind.bundle, .subscription])
  func replayed(kind: CreditProduct.Kind) throws {
    let bought = purchase(kind, 8, source: "apple:1", days: kind == .subscription ? 365 : nil)
    #expect(try fixture.write { try $0.record(bought) }.kind == .counted)
    #expect(try refund("apple:1"))
    for _ in 0..<2 {
      #expect(try fixture.write { try $0.record(bought) } == .refunded)
      let balance = try fixture.balance(of: anna)
      #expect(balance.available == 1 && balance.tier == .guest)
      fixture.system += 31 * day
    }
    var stolen = bought
    stolen.account = "bert"
    #expect(try fixture.write { try $0.record(stolen) } == .ofAnotherAccount)
    #expect(try fixture.balance(of: "bert").available == 1)
    #expect(try fixture.findings() == [])
  }
}

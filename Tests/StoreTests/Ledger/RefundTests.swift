import AtelierProtocol
import Testing

@testable import Store

@Suite("A refunded purchase")
struct RefundTests {
  let house: LedgerFixture
  init() throws { house = try LedgerFixture() }

  private let day: Int64 = 86_400_000
  private let anna: AccountID = "anna"

  private func purchase(
    _ kind: CreditProduct.Kind, _ credits: Int, source: String, account: AccountID = "anna", from start: Int64? = nil,
    days: Int64? = nil
  ) -> Purchase {
    let start = start ?? house.system
    return Purchase(
      source: source, account: account, product: "p", kind: kind, credits: credits, quantity: 1,
      purchasedAt: Timestamp(milliseconds: start), expiresAt: days.map { Timestamp(milliseconds: start + $0 * day) })
  }

  private func buy(_ kind: CreditProduct.Kind, _ credits: Int, source: String, days: Int64? = nil) throws {
    let bought = purchase(kind, credits, source: source, days: days)
    #expect(try house.write { try $0.record(bought) }.kind == .counted)
  }

  private func spend(_ amount: Int, for generation: GenerationID) throws {
    try house.begin(generation, of: anna)
    try house.write(of: anna) { ledger in
      try ledger.hold(amount, for: generation, of: anna)
      #expect(try ledger.endHold(for: generation, capturing: amount, because: "test") == amount)
      try house.end(generation, charged: amount, in: ledger.database)
    }
  }

  private func refund(_ source: String) throws -> Bool { try house.write { try $0.refund(.named(source), at: $0.now) } }

  @Test("that nobody had sent before is worth nothing from then on, for anybody", arguments: [
    CreditProduct.Kind.bundle, .subscription,
  ])
  func unseen(kind: CreditProduct.Kind) throws {
    let bought = purchase(kind, 8, source: "apple:1", days: kind == .bundle ? nil : 30)
    #expect(try !house.write { try $0.refund(bought, at: $0.now) }, "nothing was granted")
    #expect(try house.write { try $0.record(bought) }.kind == .refunded)
    let other = purchase(kind, 8, source: "apple:1", account: "ben", days: kind == .bundle ? nil : 30)
    #expect(try house.write { try $0.record(other) }.kind == .ofAnotherAccount)
    #expect(try !house.write { try $0.refund(bought, at: $0.now) }, "once")
    let balance = try house.balance(of: anna)
    #expect(balance.available == 1 && balance.shortfall == 0)
    #expect(try house.findings() == [])
  }

  @Test("that was spent blocks every hold though other credits are there, until later ones have paid it")
  func debt() throws {
    _ = try house.balance(of: anna)
    try buy(.bundle, 8, source: "apple:1")
    try buy(.bundle, 5, source: "apple:2")
    try spend(9, for: "gen_1")
    #expect(try refund("apple:1"))
    var balance = try house.balance(of: anna)
    #expect(balance.available == 5 && balance.shortfall == 8, "what was bought besides is not touched")
    try house.begin("gen_2", of: anna)
    for (gift, rest) in [(0, 8), (7, 1), (1, 0)] {
      if gift > 0 { try house.write(of: anna) { _ = try $0.grant(.operator, gift, to: anna, for: "gift:\(gift)") } }
      balance = try house.balance(of: anna)
      #expect(balance.available == 5 && balance.shortfall == rest)
      if rest == 0 { break }
      for amount in [1, 5, 6] {
        let refusal = #expect(throws: AtelierError.self) {
          try house.write(of: anna) { try $0.hold(amount, for: "gen_2", of: anna) }
        }
        #expect(refusal?.kind == .insufficientCredits)
        #expect(refusal?.details["shortfall"]?.int64 == Int64(rest))
        #expect(refusal?.details["available"] == 5)
      }
      #expect(try house.balance(of: anna).held == 0)
    }
    try house.write(of: anna) { try $0.hold(5, for: "gen_2", of: anna) }
    #expect(try house.balance(of: anna).held == 5)
    #expect(try house.findings() == [])
  }

  @Test("that was a subscription ends it: no tier, no credits, no next month", arguments: [0, 45] as [Int64])
  func endsSubscription(daysLater: Int64) throws {
    _ = try house.balance(of: anna)
    try buy(.subscription, 168, source: "apple:1", days: 365)
    house.system += daysLater * day
    #expect(try house.balance(of: anna).available == 169)
    #expect(try refund("apple:1"))
    for _ in 0..<3 {
      let balance = try house.balance(of: anna)
      #expect(balance.tier == .guest && balance.available == 1 && balance.allocation == 1)
      #expect(balance.resetAt == nil && balance.shortfall == 0)
      #expect(try house.write { try $0.record(of: anna) }.premiumUntil == nil)
      house.system += 31 * day
    }
    #expect(try house.findings() == [])
  }

  @Test("of several subscriptions takes its own months with it, and no other's")
  func oneOfSeveral() throws {
    _ = try house.balance(of: anna)
    // The sources begin alike.
    try buy(.subscription, 10, source: "apple:1", days: 365)
    try buy(.subscription, 20, source: "apple:10", days: 365)
    house.system += 31 * day
    #expect(try house.balance(of: anna).available == 31)
    #expect(try refund("apple:1"))
    var balance = try house.balance(of: anna)
    #expect(balance.tier == .premium && balance.available == 21 && balance.allocation == 20)
    house.system += 31 * day
    balance = try house.balance(of: anna)
    #expect(balance.tier == .premium && balance.available == 21)
    #expect(try house.findings() == [])
  }

  @Test("owes what each of its months had brought and was spent")
  func monthsSpent() throws {
    _ = try house.balance(of: anna)
    try buy(.subscription, 10, source: "apple:1", days: 365)
    try spend(4, for: "gen_1")
    house.system += 31 * day
    try spend(5, for: "gen_2")
    #expect(try refund("apple:1"))
    let balance = try house.balance(of: anna)
    #expect(balance.shortfall == 9 && balance.available == 1)
    #expect(try house.findings() == [])
  }

  @Test("is news once, and none when it was never counted")
  func once() throws {
    try buy(.bundle, 8, source: "apple:1")
    #expect(try !refund("apple:2"))
    #expect(try refund("apple:1"))
    let balance = try house.balance(of: anna)
    #expect(try !refund("apple:1"))
    #expect(try house.balance(of: anna) == balance)
  }

  @Test("submitted again is refused and brings nothing", arguments: [CreditProduct.Kind.bundle, .subscription])
  func replayed(kind: CreditProduct.Kind) throws {
    let bought = purchase(kind, 8, source: "apple:1", days: kind == .subscription ? 365 : nil)
    #expect(try house.write { try $0.record(bought) }.kind == .counted)
    #expect(try refund("apple:1"))
    for _ in 0..<2 {
      #expect(try house.write { try $0.record(bought) } == .refunded)
      let balance = try house.balance(of: anna)
      #expect(balance.available == 1 && balance.tier == .guest)
      house.system += 31 * day
    }
    var stolen = bought
    stolen.account = "bert"
    #expect(try house.write { try $0.record(stolen) } == .ofAnotherAccount)
    #expect(try house.balance(of: "bert").available == 1)
    #expect(try house.findings() == [])
  }
}

import AtelierProtocol
import Testing

@testable import Store

@Suite("A subscription")
struct SubscriptionTests {
  let fixture: LedgerFixture
  private let start: Int64
  private let day: Int64 = 86_400_000
  private let anna: AccountID = "anna"

  init() throws {
    fixture = try LedgerFixture()
    start = fixture.system
    _ = try fixture.balance(of: anna)
  }

  private func purchase(
    source: String = "apple:1", of product: ProductID = "p", credits: Int = 10, from begin: Int64? = nil, days: Int64
  ) -> Purchase {
    let begin = begin ?? start
    return Purchase(
      source: source, account: anna, product: product, kind: .subscription, credits: credits, quantity: 1,
      purchasedAt: Timestamp(milliseconds: begin), expiresAt: Timestamp(milliseconds: begin + days * day))
  }

  private func submit(_ purchase: Purchase) throws -> PurchaseOutcome { try fixture.write { try $0.record(purchase) } }

  private func granted(_ outcome: PurchaseOutcome) -> Int? {
    if case .counted(let granted, _, _) = outcome { granted } else { nil }
  }

  private func reason(_ outcome: PurchaseOutcome) -> ReducedGrant? {
    if case .counted(_, _, let reason) = outcome { reason } else { nil }
  }

  private func wait(days: Int64) throws {
    fixture.system += days * day
    try fixture.confirmClock()
  }

  @Test("a subscription gives what it gives until its last millisecond, and nothing from its end on")
  func end() throws {
    #expect(granted(try submit(purchase(days: 20))) == 10)
    fixture.system = start + 20 * day - 1
    try fixture.confirmClock()
    var balance = try fixture.balance(of: anna)
    #expect(balance.tier == .premium && balance.available == 11 && balance.allocation == 10)
    #expect(balance.resetAt == nil, "no month follows")
    #expect(try fixture.write { try $0.record(of: anna) }.premiumUntil == Timestamp(milliseconds: start + 20 * day))
    for later in [20, 21, 40, 400] as [Int64] {
      fixture.system = start + later * day
      try fixture.confirmClock()
      balance = try fixture.balance(of: anna)
      #expect(balance.tier == .guest && balance.available == 1 && balance.allocation == 1, "after \(later) days")
      #expect(balance.resetAt == nil)
      #expect(try fixture.write { try $0.record(of: anna) }.premiumUntil == nil)
    }
    #expect(try fixture.findings() == [])
  }

  @Test("a subscription that ended before it was submitted brings nothing, and one to come brings nothing yet")
  func otherTimes() throws {
    #expect(granted(try submit(purchase(source: "apple:1", from: start - 40 * day, days: 30))) == 0)
    #expect(granted(try submit(purchase(source: "apple:2", from: start + 5 * day, days: 30))) == 0)
    var balance = try fixture.balance(of: anna)
    #expect(balance.tier == .guest && balance.available == 1)
    fixture.system += 5 * day
    try fixture.confirmClock()
    balance = try fixture.balance(of: anna)
    #expect(balance.tier == .premium && balance.available == 11)
    #expect(try fixture.findings() == [])
  }

  @Test("a subscription submitted again brings what has come due and nothing more, however often and however late")
  func replayed() throws {
    let bought = purchase(days: 365)
    #expect(granted(try submit(bought)) == 10)
    for (days, available) in [
      (0, 11), (1, 11), (31, 11), (32, 11), (200, 11), (364, 11), (366, 1), (800, 1),
    ] as [(Int64, Int)] {
      fixture.system = start + days * day
      try fixture.confirmClock()
      for _ in 0..<2 {
        guard case .countedBefore(let balance) = try submit(bought) else {
          Issue.record("it was counted twice, after \(days) days")
          return
        }
        #expect(balance.available == available, "after \(days) days")
        #expect(balance == (try fixture.balance(of: anna)))
      }
    }
    // One grant a month that was looked at: the first, the second, that of day 200 and the last.
    let grants = try fixture.number("SELECT count(*) FROM credit_grant WHERE kind = 'period'")
    #expect(grants == 4)
    #expect(try fixture.findings() == [])
  }

  @Test("a subscription bought again after its end begins anew, with its own credits")
  func renewed() throws {
    _ = try submit(purchase(days: 20))
    fixture.system = start + 30 * day
    try fixture.confirmClock()
    #expect(granted(try submit(purchase(source: "apple:2", from: fixture.system, days: 20))) == 10)
    #expect(try fixture.balance(of: anna).available == 11)
    // The first one's receipt is worth nothing any more.
    #expect(try submit(purchase(days: 20)).kind == .countedBefore)
    #expect(try fixture.balance(of: anna).available == 11)
    #expect(try fixture.findings() == [])
  }

  @Test("a subscription that an operator takes away leaves the month's credits to the month's end; a bought one goes on")
  func byOperator() throws {
    try fixture.write(of: anna) { try $0.set(.premium, of: anna) }
    #expect(try fixture.balance(of: anna).available == 1 + fixture.rules.premiumCredits)
    try fixture.write(of: anna) { try $0.set(.guest, of: anna) }
    var balance = try fixture.balance(of: anna)
    #expect(balance.tier == .guest && balance.available == 1 + fixture.rules.premiumCredits)
    fixture.system += 31 * day
    try fixture.confirmClock()
    balance = try fixture.balance(of: anna)
    #expect(balance.tier == .guest && balance.available == 1)
    _ = try submit(purchase(from: fixture.system, days: 100))
    try fixture.write(of: anna) { try $0.set(.guest, of: anna) }
    balance = try fixture.balance(of: anna)
    #expect(balance.tier == .premium && balance.available == 11)
    #expect(try fixture.findings() == [])
  }

  @Test(
    "a subscription whose month is running gives nothing for another purchase of it, in whatever order they come",
    arguments: [0, 10, 20, 27] as [Int64], [false, true])
  func secondPurchase(later: Int64, isReversed: Bool) throws {
    try wait(days: later)
    let purchases = [
      purchase(source: "google:1", days: 30), purchase(source: "google:2", from: start + later * day, days: 30),
    ]
    let outcomes = try (isReversed ? purchases.reversed() : purchases).map { try submit($0) }
    #expect(outcomes.map(granted) == [10, 0] && outcomes.map(reason) == [nil, .monthRunning])
    for _ in 0..<40 {
      let balance = try fixture.balance(of: anna)
      #expect(balance.available ?? 0 <= 11 && balance.allocation ?? 0 <= 10)
      try wait(days: 1)
    }
    // Its month has never been granted a second time.
    let given = try fixture.number("SELECT sum(amount) FROM credit_grant WHERE kind = 'period'")
    #expect(given == 10)
    #expect(try fixture.findings() == [])
  }

  @Test("a subscription renewed shortly before its month ends gives the next month when that begins")
  func earlyRenewal() throws {
    _ = try submit(purchase(days: 30))
    try wait(days: 29)
    let outcome = try submit(purchase(source: "apple:2", from: start + 29 * day, days: 30))
    #expect(granted(outcome) == 0 && reason(outcome) == .notStarted)
    #expect(try fixture.balance(of: anna).available == 11)
    try spend(11)
    try wait(days: 1)
    #expect(try fixture.balance(of: anna).available == 10)
    #expect(try fixture.findings() == [])
  }

  private func spend(_ amount: Int) throws {
    let id = GenerationID(rawValue: "gen_\(fixture.system)")
    try fixture.begin(id, of: anna)
    try fixture.write(of: anna) { ledger in
      try ledger.hold(amount, for: id, of: anna)
      #expect(try ledger.endHold(for: id, capturing: amount, because: "test") == amount)
      try fixture.end(id, charged: amount, in: ledger.session)
    }
  }

  @Test("a subscription changed for a larger plan gives the difference, for a smaller one nothing, however often")
  func plans() throws {
    #expect(granted(try submit(purchase(days: 30))) == 10)
    try wait(days: 5)
    for (number, product, credits, wanted) in [
      (2, "large", 25, 15), (3, "p", 10, 0), (4, "large", 25, 0), (5, "small", 4, 0), (6, "larger", 30, 5),
    ] as [(Int, ProductID, Int, Int)] {
      let outcome = try submit(
        purchase(source: "google:\(number)", of: product, credits: credits, from: fixture.system, days: 30))
      #expect(granted(outcome) == wanted, "\(product)")
      #expect(reason(outcome) == (["p", "large"].contains(product) && wanted == 0 ? .monthRunning : .planChanged))
    }
    #expect(try fixture.balance(of: anna).available == 1 + 30)
    #expect(try fixture.findings() == [])
  }

  @Test("a subscription that replaced another plan gives the rest when that one is refunded")
  func refundedPlan() throws {
    _ = try submit(purchase(days: 30))
    #expect(granted(try submit(purchase(source: "apple:2", of: "large", credits: 25, days: 30))) == 15)
    #expect(try fixture.write { try $0.refund(.named("apple:1"), at: $0.now) })
    #expect(try fixture.balance(of: anna).available == 1 + 25)
    #expect(try fixture.write { try $0.refund(.named("apple:2"), at: $0.now) })
    #expect(try fixture.balance(of: anna).available == 1)
    #expect(try fixture.findings() == [])
  }

  @Test("a subscription of which another purchase was refunded gives its own month")
  func refundedToken() throws {
    _ = try submit(purchase(days: 30))
    #expect(granted(try submit(purchase(source: "apple:2", days: 30))) == 0)
    try spend(11)
    #expect(try fixture.write { try $0.refund(.named("apple:1"), at: $0.now) })
    // Ten are owed of the first, and the second's ten pay for them.
    let balance = try fixture.balance(of: anna)
    #expect(balance.available == 0 && balance.shortfall == 0)
    #expect(try fixture.write { try $0.refund(.named("apple:2"), at: $0.now) })
    #expect(try fixture.balance(of: anna).shortfall == 10)
    #expect(try fixture.findings() == [])
  }

  @Test("a subscription of which another purchase is refunded late gives its past months: they pay what is left owed")
  func refundedLate() throws {
    _ = try submit(purchase(days: 92))
    #expect(granted(try submit(purchase(source: "apple:2", from: start + 5 * day, days: 92))) == 0)
    for days in [20, 30, 30] as [Int64] {
      try wait(days: days)
      try spend(10)
    }
    try wait(days: 40)
    #expect(try fixture.balance(of: anna).tier == .guest)
    #expect(try fixture.write { try $0.refund(.named("apple:1"), at: $0.now) })
    #expect(try fixture.balance(of: anna).shortfall == 0)
    #expect(try fixture.write { try $0.refund(.named("apple:2"), at: $0.now) })
    #expect(try fixture.balance(of: anna).shortfall == 30)
    #expect(try fixture.findings() == [])
  }

  @Test("a subscription of which another purchase is refunded gives nothing for past months while the clock is in doubt")
  func refundedInDoubt() throws {
    _ = try submit(purchase(days: 92))
    _ = try submit(purchase(source: "apple:2", from: start + 5 * day, days: 92))
    try wait(days: 120)
    fixture.system += 400 * day
    #expect(try fixture.write { try $0.refund(.named("apple:1"), at: $0.now) })
    #expect(try fixture.balance(of: anna).available == 1)
    #expect(try fixture.findings() == [])
  }

  @Test("a subscription that an operator gives again from a day before the granted month continues that month")
  func givenFromEarlier() throws {
    let month = fixture.rules.premiumCredits
    let anchor = fixture.system
    try fixture.write(of: anna) { try $0.set(.premium, of: anna) }
    try wait(days: 5)
    try fixture.write(of: anna) { try $0.set(.guest, of: anna) }
    let again = try fixture.write(of: anna) {
      try $0.set(.premium, of: anna, from: Timestamp(milliseconds: anchor - 3 * day))
    }
    #expect(again.granted == 0 && again.reason == .monthRunning)
    let next = Timestamp(milliseconds: anchor).adding(months: 1)
    #expect(try fixture.balance(of: anna).resetAt == next)
    fixture.system = next.milliseconds
    try fixture.confirmClock()
    #expect(try fixture.balance(of: anna).available == 1 + month)
    #expect(try fixture.findings() == [])
  }

  @Test("premium that begins again in the last month of an ended subscription continues that month, however long it is")
  func givenInLongLastMonth() throws {
    let month = fixture.rules.premiumCredits
    try fixture.write(of: anna) { try $0.set(.premium, of: anna) }
    // Another account is seen on a day on which the clock was wrong, so that hers ends on that day, without its month.
    try wait(days: 75)
    try fixture.write(of: "bert") { try $0.set(.premium, of: "bert") }
    fixture.system -= 5 * day
    try fixture.write(of: anna) { try $0.set(.guest, of: anna) }
    try fixture.confirmClock()
    #expect(try fixture.balance(of: anna).available == 1 + month)
    // The second month lasts until the end, because no whole month is left after it.
    let ends = try fixture.tables.read {
      try $0.values("SELECT expires FROM credit_grant WHERE account = 'anna' AND kind = 'period' ORDER BY 1", as: Int64.self)
    }
    #expect(ends == [Timestamp(milliseconds: start).adding(months: 1).milliseconds, start + 75 * day])
    let again = try fixture.write(of: anna) { try $0.set(.premium, of: anna) }
    #expect(again.granted == 0 && again.reason == .monthRunning)
    #expect(try fixture.balance(of: anna).available == 1 + month)
    let anchors = try fixture.tables.read {
      try $0.values("SELECT DISTINCT starts FROM subscription WHERE account = 'anna'", as: Int64.self)
    }
    #expect(anchors == [start])
    #expect(try fixture.findings() == [])
  }

  @Test(
    "a subscription that an operator gives from a later day begins on the day that was told last",
    arguments: [10, 3] as [Int64])
  func correctedStart(corrected: Int64) throws {
    func give(from later: Int64) throws -> ReducedGrant? {
      try fixture.write(of: anna) {
        try $0.set(.premium, of: anna, from: Timestamp(milliseconds: start + later * day))
      }.reason
    }
    for later in [5, corrected, corrected] { #expect(try give(from: later) == .notStarted) }
    try wait(days: corrected - 1)
    #expect(try fixture.balance(of: anna).tier == .guest)
    try wait(days: 1)
    let balance = try fixture.balance(of: anna)
    #expect(balance.tier == .premium && balance.available == 1 + fixture.rules.premiumCredits)
    #expect(balance.resetAt == Timestamp(milliseconds: start + corrected * day).adding(months: 1))
    #expect(try fixture.findings() == [])
  }

  @Test(
    "a subscription given, taken away and given again is granted once a month, which goes on from its first day",
    arguments: [
      nil, 0, 5, -3,
    ] as [Int64?])
  func flapping(startDay: Int64?) throws {
    let start = startDay.map { Timestamp(milliseconds: fixture.system + $0 * day) }
    let month = fixture.rules.premiumCredits
    let anchor = start ?? Timestamp(milliseconds: fixture.system)
    try fixture.write(of: anna) { try $0.set(.premium, of: anna, from: start) }
    if let startDay, startDay > 0 {
      #expect(try fixture.balance(of: anna).tier == .guest && fixture.balance(of: anna).available == 1)
      try wait(days: startDay)
    }
    for round in 0..<12 {
      try fixture.write(of: anna) { try $0.set(round.isMultiple(of: 2) ? .free : .guest, of: anna) }
      // The guest's, the month's, and from the first round on those of the tier free.
      #expect(try fixture.balance(of: anna).available == 1 + month + 4, "round \(round)")
      try wait(days: 1)
      let again = try fixture.write(of: anna) {
        try $0.set(.premium, of: anna, from: round.isMultiple(of: 3) ? nil : $0.now)
      }
      #expect(again.granted == 0 && again.reason == .monthRunning, "round \(round)")
    }
    #expect(try fixture.balance(of: anna).tier == .premium)
    fixture.system = anchor.adding(months: 1).milliseconds
    try fixture.confirmClock()
    #expect(try fixture.balance(of: anna).resetAt == anchor.adding(months: 2))
    let months = try fixture.tables.read {
      try $0.values("SELECT effective FROM credit_grant WHERE kind = 'period' ORDER BY 1", as: Int64.self)
    }
    #expect(months == [anchor.milliseconds, anchor.adding(months: 1).milliseconds])
    #expect(try fixture.findings() == [])
  }
}

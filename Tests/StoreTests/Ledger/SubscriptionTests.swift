import AtelierProtocol
import Testing

@testable import Store

@Suite("A subscription")
struct SubscriptionTests {
  let house: LedgerFixture
  private let start: Int64
  private let day: Int64 = 86_400_000
  private let anna: AccountID = "anna"

  init() throws {
    house = try LedgerFixture()
    start = house.system
    _ = try house.balance(of: anna)
  }

  private func purchase(source: String = "apple:1", from begin: Int64? = nil, days: Int64) -> Purchase {
    let begin = begin ?? start
    return Purchase(
      source: source, account: anna, product: "p", kind: .subscription, credits: 10, quantity: 1,
      purchasedAt: Timestamp(milliseconds: begin), expiresAt: Timestamp(milliseconds: begin + days * day))
  }

  private func submit(_ purchase: Purchase) throws -> PurchaseOutcome { try house.write { try $0.record(purchase) } }

  private func granted(_ outcome: PurchaseOutcome) -> Int? {
    if case .counted(let granted, _) = outcome { granted } else { nil }
  }

  @Test("gives what it gives until its last millisecond, and nothing from its end on")
  func end() throws {
    #expect(granted(try submit(purchase(days: 20))) == 10)
    house.system = start + 20 * day - 1
    try house.confirmClock()
    var balance = try house.balance(of: anna)
    #expect(balance.tier == .premium && balance.available == 11 && balance.allocation == 10)
    #expect(balance.resetAt == nil, "no month follows")
    #expect(try house.write { try $0.record(of: anna) }.premiumUntil == Timestamp(milliseconds: start + 20 * day))
    for later in [20, 21, 40, 400] as [Int64] {
      house.system = start + later * day
      try house.confirmClock()
      balance = try house.balance(of: anna)
      #expect(balance.tier == .guest && balance.available == 1 && balance.allocation == 1, "after \(later) days")
      #expect(balance.resetAt == nil)
      #expect(try house.write { try $0.record(of: anna) }.premiumUntil == nil)
    }
    #expect(try house.findings() == [])
  }

  @Test("that ended before it was submitted brings nothing, and one to come brings nothing yet")
  func otherTimes() throws {
    #expect(granted(try submit(purchase(source: "apple:1", from: start - 40 * day, days: 30))) == 0)
    #expect(granted(try submit(purchase(source: "apple:2", from: start + 5 * day, days: 30))) == 0)
    var balance = try house.balance(of: anna)
    #expect(balance.tier == .guest && balance.available == 1)
    house.system += 5 * day
    try house.confirmClock()
    balance = try house.balance(of: anna)
    #expect(balance.tier == .premium && balance.available == 11)
    #expect(try house.findings() == [])
  }

  @Test("submitted again brings what has come due and nothing more, however often and however late")
  func replayed() throws {
    let bought = purchase(days: 365)
    #expect(granted(try submit(bought)) == 10)
    for (days, available) in [(0, 11), (1, 11), (31, 11), (32, 11), (200, 11), (364, 11), (366, 1), (800, 1)] as [(Int64, Int)] {
      house.system = start + days * day
      try house.confirmClock()
      for _ in 0..<2 {
        guard case .countedBefore(let balance) = try submit(bought) else {
          Issue.record("it was counted twice, after \(days) days")
          return
        }
        #expect(balance.available == available, "after \(days) days")
        #expect(balance == (try house.balance(of: anna)))
      }
    }
    // One grant a month that was looked at: the first, the second, that of day 200 and the last.
    let grants = try house.queue.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM credit_grant WHERE kind = 'period'")
    }
    #expect(grants == 4)
    #expect(try house.findings() == [])
  }

  @Test("bought again after its end begins anew, with its own credits")
  func renewed() throws {
    _ = try submit(purchase(days: 20))
    house.system = start + 30 * day
    try house.confirmClock()
    #expect(granted(try submit(purchase(source: "apple:2", from: house.system, days: 20))) == 10)
    #expect(try house.balance(of: anna).available == 11)
    // The first one's receipt is worth nothing any more.
    #expect(try submit(purchase(days: 20)).kind == .countedBefore)
    #expect(try house.balance(of: anna).available == 11)
    #expect(try house.findings() == [])
  }

  @Test("that an operator gave and takes away leaves the month's credits to the month's end; one that was bought goes on")
  func byOperator() throws {
    try house.write(of: anna) { try $0.set(.premium, of: anna) }
    #expect(try house.balance(of: anna).available == 1 + house.rules.premiumCredits)
    try house.write(of: anna) { try $0.set(.guest, of: anna) }
    var balance = try house.balance(of: anna)
    #expect(balance.tier == .guest && balance.available == 1 + house.rules.premiumCredits)
    house.system += 31 * day
    try house.confirmClock()
    balance = try house.balance(of: anna)
    #expect(balance.tier == .guest && balance.available == 1)
    _ = try submit(purchase(from: house.system, days: 100))
    try house.write(of: anna) { try $0.set(.guest, of: anna) }
    balance = try house.balance(of: anna)
    #expect(balance.tier == .premium && balance.available == 11)
    #expect(try house.findings() == [])
  }
}

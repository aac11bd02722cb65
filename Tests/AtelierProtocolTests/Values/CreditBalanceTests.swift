import AtelierProtocol
import Support
import Testing

@Suite("A balance")
struct CreditBalanceTests {
  private typealias Level = CreditBalance.Level

  @Test(
    "a balance is green above half of the allocation, red below a fifth, and yellow between",
    arguments: [
      (168, 168, .green), (85, 168, .green), (84, 168, .yellow), (34, 168, .yellow), (33, 168, .red), (0, 168, .red),
      (1, 1, .green), (0, 1, .red), (3, 4, .green), (2, 4, .yellow), (1, 4, .yellow), (0, 4, .red),
      (3, 5, .green), (2, 5, .yellow), (1, 5, .yellow), (0, 5, .red), (51, 100, .green), (50, 100, .yellow),
      (20, 100, .yellow), (19, 100, .red), (200, 168, .green), (-1, 4, .red), (.max, .max, .green),
      (.max / 2, .max, .yellow), (.min, 1, .red),
    ] as [(Int, Int, CreditBalance.Level)])
  func level(available: Int, allocation: Int, expected: CreditBalance.Level) {
    #expect(Level(available: available, allocation: allocation) == expected)
  }

  @Test("a balance is as its percentage says, whatever the allocation", arguments: 1...200)
  func percentages(allocation: Int) {
    for available in 0...allocation {
      let expected: Level =
        100 * available > 50 * allocation ? .green : 100 * available < 20 * allocation ? .red : .yellow
      #expect(Level(available: available, allocation: allocation) == expected, "\(available)")
    }
  }

  @Test("a balance has no level where nothing was allocated", arguments: [0, -1, .min])
  func noAllocation(allocation: Int) {
    #expect(Level(available: 5, allocation: allocation) == nil)
  }

  @Test("a balance is written with null for what does not apply, and without what is not there")
  func unmetered() throws {
    let wire = try written(CreditBalance.unmetered("a"))
    #expect(
      wire == [
        "account": "a", "metered": false, "tier": "owner", "unlimited": true, "available": nil, "held": 0,
        "allocation": nil, "buckets": [], "shortfall": 0,
      ])
    #expect(try read(CreditBalance.self, wire) == .unmetered("a"))
  }

  @Test("a balance says how full it is, and what is in each bucket")
  func metered() throws {
    let time = Timestamp(milliseconds: 1_795_238_760_123)
    let balance = CreditBalance(
      account: "anna", tier: .premium, available: 10, held: 2, allocation: 168,
      buckets: [
        CreditBalance.Bucket(
          id: "g1", kind: .period, amount: 168, available: 2, held: 2, createdAt: time, expiresAt: time),
        CreditBalance.Bucket(id: "g2", kind: .operator, amount: 8, available: 8, createdAt: time),
      ], resetAt: time, shortfall: 3)
    #expect(balance.level == .red)
    let wire = try written(balance)
    #expect(wire["level"] == "red")
    #expect(wire["shortfall"] == 3)
    #expect(
      wire["buckets"]?.array?.last == [
        "id": "g2", "kind": "operator", "amount": 8, "available": 8, "held": 0,
        "createdAt": "2026-11-21T05:26:00.123Z",
      ])
    #expect(try read(CreditBalance.self, wire) == balance)
  }

  @Test("a balance offers a product without what only a store needs")
  func upgradeOption() {
    let product = CreditProduct(
      id: "premium_month", kind: .subscription, title: "Premium", credits: 168,
      price: Price(amount: "9.99", currency: "USD"), period: .month, platforms: .init(apple: "a", google: "g"))
    #expect(
      UpgradeOption(product)
        == UpgradeOption(
          id: "premium_month", kind: .subscription, title: "Premium", credits: 168,
          price: Price(amount: "9.99", currency: "USD")))
  }
}

import AtelierProtocol
import Testing

@testable import Store

@Suite("The limits of an account")
struct LimitsTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private let standard = Metering(credits: 0, limits: UsageLimit.standard)
  private let minute: Int64 = 60_000

  /// Accepts a request and ends it.
  private func ask(
    _ store: Store, _ account: AccountID = "anna", _ recipe: Recipe = .headshot, _ metering: Metering? = nil
  ) async throws {
    let acceptance = fixture.acceptance(account, recipe: recipe, metering: metering ?? standard)
    let id = try await store.begin(acceptance)
    _ = try await store.finish(Settlement(id: id, state: .failed, error: AtelierError(.internal)))
  }

  private func refusal(
    _ store: Store, _ account: AccountID = "anna", _ recipe: Recipe = .headshot
  ) async throws -> AtelierError? {
    do {
      _ = try await store.accept(fixture.acceptance(account, recipe: recipe, metering: standard))
      return nil
    } catch {
      return error
    }
  }

  @Test("the limits of an account refuse the sixth headshot of a minute, and tell when the next is accepted")
  func perMinute() async throws {
    let store = try await fixture.open()
    for _ in 0..<5 {
      try await ask(store)
      fixture.clock.advance(by: 5_000)
    }
    let refused = try #require(try await refusal(store))
    #expect(refused.kind == .rateLimited)
    #expect(refused.details["scope"] == "minute" && refused.details["limit"] == 5 && refused.details["used"] == 5)
    // The first of them was 25 seconds ago.
    #expect(refused.retryAfterMs == 35_000)
    // Other recipes and other accounts have their own.
    try await ask(store, "anna", .create)
    try await ask(store, "bert")
    fixture.clock.advance(by: 34_999)
    #expect(try await refusal(store)?.retryAfterMs == 1)
    fixture.clock.advance(by: 1)
    try await ask(store)
  }

  @Test("the limits of an account lock headshots after ten a day until midnight UTC")
  func perDay() async throws {
    let store = try await fixture.open()
    for _ in 0..<10 {
      try await ask(store)
      fixture.clock.advance(by: minute)
    }
    let refused = try #require(try await refusal(store))
    #expect(refused.kind == .dailyLimit && refused.details["scope"] == "day")
    let wait = try #require(refused.retryAfterMs)
    let midnight = fixture.clock.now.endOfDay
    #expect(Int64(wait) == midnight.milliseconds - fixture.clock.now.milliseconds)
    fixture.clock.advance(by: Int64(wait) - 1)
    #expect(try await refusal(store) != nil)
    fixture.clock.advance(by: 1)
    try await ask(store)
  }

  @Test(
    "limits that are reached together tell of the one that lasts longest, in whatever order they stand",
    arguments: [false, true])
  func together(isReversed: Bool) async throws {
    let store = try await fixture.open()
    let limits = [UsageLimit(.minute, limit: 1), UsageLimit(.hour, limit: 1), UsageLimit(.day, limit: 1)]
    let metering = Metering(credits: 0, limits: isReversed ? limits.reversed() : limits)
    try await ask(store, "anna", .create, metering)
    let refused = await #expect(throws: AtelierError.self) {
      _ = try await store.accept(fixture.acceptance("anna", metering: metering))
    }
    #expect(refused?.kind == .dailyLimit && refused?.details["scope"] == "day")
    let midnight = fixture.clock.now.endOfDay.milliseconds - fixture.clock.now.milliseconds
    #expect(refused?.retryAfterMs == Int(midnight))
  }

  @Test("the limits of an account let a guest ask twenty times an hour, whatever for; who has signed in more often")
  func guests() async throws {
    let store = try await fixture.open()
    for number in 0..<20 {
      try await ask(store, "anna", number.isMultiple(of: 2) ? .create : .edit)
      fixture.clock.advance(by: minute)
    }
    let refused = try #require(try await refusal(store, "anna", .hairstyle))
    #expect(refused.kind == .rateLimited && refused.details["scope"] == "hour")
    #expect(refused.retryAfterMs == 40 * 60_000)
    _ = try await store.signIn(Identity(provider: "apple", subject: "1"), as: "anna")
    try await ask(store, "anna", .hairstyle)
  }

  @Test("the limits of an account let one generation run at a time, in whatever process")
  func concurrent() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    let id = try await store.begin(fixture.acceptance("anna", recipe: .create, metering: standard))
    for each in [store, other] {
      let refused = try #require(try await refusal(each, "anna", .edit))
      #expect(refused.kind == .concurrentLimit && refused.details["scope"] == "concurrent")
      #expect(refused.retryAfterMs == UsageLimit.concurrentRetryMs)
    }
    try await ask(other, "bert")
    _ = try await store.finish(Settlement(id: id, state: .cancelled))
    try await ask(other, "anna", .edit)
  }

  @Test("the limits of an account count what was accepted, not what was refused or repeated")
  func counted() async throws {
    let store = try await fixture.open()
    let key = fixture.acceptance("anna", recipe: .headshot, key: "k", metering: standard)
    let id = try await store.begin(key)
    _ = try await store.finish(Settlement(id: id, state: .failed, error: AtelierError(.internal)))
    for _ in 0..<9 { _ = try await store.accept(key) }
    let poor = Metering(credits: 100, limits: UsageLimit.standard)
    for _ in 0..<9 {
      await #expect(throws: AtelierError.self) {
        _ = try await store.accept(fixture.acceptance("anna", recipe: .headshot, metering: poor))
      }
    }
    let used = try await store.usage(of: "anna", against: UsageLimit.standard)
    #expect(used.first { $0.limit.window == .minute && $0.limit.recipe == .headshot }?.used == 1)
  }

  @Test("the limits of an account do not apply where an operator lifted them; credits do")
  func lifted() async throws {
    let store = try await fixture.open()
    _ = try await store.set("anna", tier: nil, isUnlimited: true)
    for _ in 0..<30 { try await ask(store) }
    #expect(try await store.usage(of: "anna", against: UsageLimit.standard) == [])
    await #expect(throws: AtelierError.self) {
      try await ask(store, "anna", .headshot, Metering(credits: 2, limits: UsageLimit.standard))
    }
    _ = try await store.set("anna", tier: nil, isUnlimited: false)
    #expect(try await refusal(store) != nil)
  }

  @Test("the limits of an account name the one that lasts longest, so that nobody waits for one to meet the next")
  func longest() async throws {
    let store = try await fixture.open()
    for _ in 0..<10 {
      try await ask(store)
      fixture.clock.advance(by: 12_001)
    }
    let refused = try #require(try await refusal(store))
    #expect(refused.kind == .dailyLimit)
  }

  @Test("the limits of an account forget what none of them looks at any more")
  func pruned() async throws {
    let store = try await fixture.open()
    for _ in 0..<5 {
      try await ask(store)
      fixture.clock.advance(by: 86_400_001)
    }
    let count = try await store.number("SELECT count(*) FROM limit_event")
    #expect(count == 1)
  }

  private func spend(_ credits: Int, of store: Store) async throws {
    let id = try await store.begin(
      fixture.acceptance("anna", recipe: .edit, metering: Metering(credits: credits, limits: [])))
    try await store.succeed(id, with: [1], credits: credits)
  }

  /// Ways to credits, and whether they lift the limits of those who have paid nothing.
  enum Way: String, CaseIterable {
    case granted, bought, premium, spent, signedIn, refunded, revoked, owing, revokedAndPaid, owingPremium, replaced

    var liftsLimits: Bool { [.granted, .bought, .premium, .spent, .replaced].contains(self) }
    /// Without credits that lift limits, these still make no guest.
    var isOfGuest: Bool { !liftsLimits && ![.signedIn, .revokedAndPaid, .owingPremium].contains(self) }
  }

  @Test(
    "the limits of guests, and of headshots a day, end with bought or given credits, until those are taken back",
    arguments: Way.allCases)
  func lifting(way: Way) async throws {
    let store = try await fixture.open()
    let purchase = Purchase(
      source: "apple:1", account: "anna", product: "p", kind: .bundle, credits: 8, quantity: 1,
      purchasedAt: fixture.clock.now, expiresAt: nil)
    switch way {
    case .granted: _ = try await store.grantCredits(100, to: "anna", because: "paid")
    case .bought: _ = try await store.record(purchase)
    case .premium: _ = try await store.set("anna", tier: .premium, isUnlimited: nil)
    case .spent:
      _ = try await store.grantCredits(2, to: "anna", because: "paid")
      try await spend(3, of: store)
    case .signedIn: _ = try await store.signIn(Identity(provider: "apple", subject: "1"), as: "anna")
    case .refunded:
      _ = try await store.record(purchase)
      _ = try await store.refund(purchase, at: fixture.clock.now)
    case .revoked:
      _ = try await store.grantCredits(5, to: "anna", because: "paid", source: "k")
      _ = try await store.revokeCredits(5, from: "anna", because: "refunded", source: "k")
    case .owing:
      _ = try await store.grantCredits(5, to: "anna", because: "paid", source: "k")
      try await spend(5, of: store)
      _ = try await store.revokeCredits(5, from: "anna", because: "refunded", source: "k")
    case .revokedAndPaid:
      _ = try await store.grantCredits(5, to: "anna", because: "paid", source: "k")
      try await spend(2, of: store)
      _ = try await store.revokeCredits(5, from: "anna", because: "refunded", source: "k")
      // The credits of the tier pay what is owed.
      _ = try await store.signIn(Identity(provider: "apple", subject: "1"), as: "anna")
      #expect(try await store.creditBalance(of: "anna").shortfall == 0)
    case .replaced:
      _ = try await store.set("anna", tier: .premium, isUnlimited: nil)
      let held = try await store.begin(
        fixture.acceptance("anna", recipe: .edit, metering: Metering(credits: 168, limits: [])))
      _ = try await store.set("anna", tier: .guest, isUnlimited: nil)
      fixture.clock.advance(by: 32 * 86_400_000)
      _ = try await store.confirmClock()
      _ = try await store.finish(Settlement(id: held, state: .failed, files: [], error: AtelierError(.internal)))
    case .owingPremium:
      _ = try await store.set("anna", tier: .premium, isUnlimited: nil)
      _ = try await store.record(purchase)
      try await spend(177, of: store)
      _ = try await store.refund(purchase, at: fixture.clock.now)
    }
    let limits = try await store.usage(of: "anna", against: UsageLimit.standard).map(\.limit)
    #expect(limits.contains { $0.window == .hour } == way.isOfGuest)
    #expect(limits.contains { $0.window == .day && $0.recipe == .headshot } == !way.liftsLimits)
    #expect(
      limits.contains { $0.window == .concurrent } && limits.contains { $0.window == .minute && $0.recipe == .headshot })
    for _ in 0..<(way.liftsLimits ? 30 : 10) {
      try await ask(store)
      fixture.clock.advance(by: 12_001)
    }
    #expect(try await refusal(store)?.kind == (way.liftsLimits ? nil : .dailyLimit))
  }
}

import AtelierProtocol
import Receipts
import ServiceFixture
import Testing

@testable import Engine

@Suite("Credits of hosts that count themselves", .timeLimit(.minutes(2)))
struct MeteringTests {
  @Test("credits that hosts count themselves are not counted: nothing is refused, held or charged, accounts stay apart")
  func off() async throws {
    var configuration = EngineConfiguration()
    configuration.credits.isMetered = false
    configuration.credits.products[0].platforms.web = "sold"
    let engine = try ServiceFixture().engine([ScriptedProvider(creditsPerImage: 1)], configuration: configuration)
    for _ in 0..<7 {
      let made = try await engine.generate(.picture(count: 4, account: "anna")).value
      #expect(made.credits == Credits(balanceAfter: nil))
    }
    let account = try await engine.engine.account(AccountGet(account: "anna"), for: Caller())
    #expect(account.tier == .guest && account.unlimited && account.limits.isEmpty && account.createdAt != nil)
    #expect(account.balance == .unmetered("anna", tier: .guest))
    #expect(
      try await engine.engine.balance(CreditsBalance(account: "ben"), for: Caller()) == .unmetered("ben", tier: .guest))
    let estimate = try await engine.engine.estimate(CreditsEstimate(.picture(account: "anna")), for: Caller())
    #expect(estimate.cost == 0 && estimate.allowed)
    #expect(engine.engine.products().products.isEmpty)
    let history = try await engine.engine.history(History(account: "anna"), for: Caller())
    #expect(history.totals.generations == 7 && history.totals.creditsUsed == 0)
    #expect(try await engine.engine.history(History(account: "ben"), for: Caller()).entries.isEmpty)
    #expect(engine.creditsTold == [])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("products are offered where somebody sells them")
  func products() {
    var policy = CreditPolicy()
    #expect(policy.productsForSale.isEmpty)
    policy.products[0].platforms.apple = "month"
    policy.products[1].platforms.google = "eight"
    #expect(policy.productsForSale.isEmpty, "no store is configured")
    policy.products[2].platforms.web = "forty-eight"
    #expect(policy.productsForSale.map(\.id) == ["bundle_48"])
    policy.purchases = PurchaseRegistry([ApplePurchaseVerifier(bundleID: "app", productIDs: ["month"])])
    #expect(policy.productsForSale.map(\.id) == ["premium_month", "bundle_48"])
  }
}

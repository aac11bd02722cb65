import AtelierProtocol
import Receipts
import ServiceFixture
import Store
import Support
import Testing

@testable import Engine

/// A shop tells of one purchase in several messages, and of several purchases in messages that have much in common. Nothing
/// in these tests has the value of anything else.
@Suite("Purchases and the messages that tell of them", .timeLimit(.minutes(3)))
struct PurchaseMessageTests {
  /// A shop whose proofs say nothing: each stands for a purchase that is given here.
  private struct Shop: PurchaseVerifier {
    struct Nothing: Decodable, Sendable {}
    static let platform = PurchasePlatform.google
    var purchases: [String: VerifiedPurchase] = [:]

    init() {}
    init(_: Nothing, selling: Set<String>, readingWith: ConfiguredFileReader) async throws {}

    func verify(
      _ proof: PurchaseProof, for account: AccountID, at now: Timestamp
    ) async throws(ReceiptRefusal) -> VerifiedPurchase {
      guard let purchase = purchases[proof[.purchaseData]?.revealed ?? ""] else { throw ReceiptRefusal(.malformed) }
      return purchase
    }
  }

  private let fixture: ServiceFixture
  private let distinct = Distinct()
  init() throws { fixture = try ServiceFixture() }

  private func time(_ days: Int) -> Timestamp {
    Timestamp(milliseconds: fixture.clock.now.milliseconds + Int64(days) * 86_400_000 + Int64(distinct.number()))
  }

  private static let bundle = CreditProduct(
    id: "bundle", kind: .bundle, title: "A bundle", credits: 7, price: Price(amount: "1", currency: "USD"),
    platforms: CreditProduct.Platforms(google: "shop.bundle"))
  private static let plan = CreditProduct(
    id: "plan", kind: .subscription, title: "A plan", credits: 31, price: Price(amount: "2", currency: "USD"),
    period: .month, platforms: CreditProduct.Platforms(google: "shop.plan"))

  /// A message: a purchase is known by its token alone.
  private func message(
    token: String, order: String? = nil, isSubscription: Bool = false, quantity: Int = 1, revokedAt: Timestamp? = nil
  ) -> VerifiedPurchase {
    VerifiedPurchase(
      platform: .google, transactionID: order ?? distinct.id("order "), originalTransactionID: distinct.id("original "),
      productID: isSubscription ? "shop.plan" : "shop.bundle", isSubscription: isSubscription, quantity: quantity,
      purchasedAt: time(-3), originalPurchasedAt: time(-40), expiresAt: isSubscription ? time(20) : nil,
      revokedAt: revokedAt, purchaseToken: token)
  }

  private func engine(_ messages: [VerifiedPurchase]) throws -> TestEngine {
    var shop = Shop()
    for (number, message) in messages.enumerated() { shop.purchases["\(number)"] = message }
    var configuration = EngineConfiguration()
    configuration.credits.products = [Self.bundle, Self.plan]
    configuration.credits.purchases = PurchaseRegistry([shop])
    return try fixture.engine([ScriptedProvider(creditsPerImage: 1)], configuration: configuration)
  }

  /// Sends a message.
  /// - Returns: what it granted; nil where it told of a revocation.
  private func send(_ number: Int, for account: AccountID, to engine: TestEngine) async throws -> CreditsPurchase.Result? {
    let proof = PurchaseProof(.google, [.purchaseData: SecretText("\(number)"), .signature: SecretText("s")])
    do {
      return try await engine.engine.purchase(CreditsPurchase(account: account, proof: proof), for: Caller())
    } catch let error as AtelierError where error.details["reason"] == "revoked" {
      return nil
    }
  }

  @Test("one purchase in two messages is counted once, and its refund in a third takes back what it brought")
  func oneInSeveral() async throws {
    let token = distinct.id("token ")
    let messages = [
      message(token: token), message(token: token), message(token: token, revokedAt: fixture.clock.now),
    ]
    let engine = try engine(messages)
    let first = try #require(try await send(0, for: "anna", to: engine))
    #expect(first.granted == 7 && first.transactionId == messages[0].transactionID && first.product == "bundle")
    let second = try #require(try await send(1, for: "anna", to: engine))
    #expect(second.granted == 0 && second.alreadyGranted)
    #expect(try await engine.credits(of: "anna") == [8, 0])
    #expect(try await send(2, for: "anna", to: engine) == nil)
    #expect(try await engine.credits(of: "anna") == [1, 0])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("two purchases whose messages have an order in common are two, each with a refund of its own")
  func severalInOne() async throws {
    let (order, tokens) = (distinct.id("order "), [distinct.id("token "), distinct.id("token ")])
    let engine = try engine([
      message(token: tokens[0], order: order, quantity: 2), message(token: tokens[1], order: order, quantity: 3),
      message(token: tokens[0], order: order, quantity: 2, revokedAt: fixture.clock.now),
    ])
    #expect(try await send(0, for: "anna", to: engine)?.granted == 14)
    #expect(try await send(1, for: "anna", to: engine)?.granted == 21)
    #expect(try await send(2, for: "anna", to: engine) == nil)
    #expect(try await engine.credits(of: "anna") == [22, 0])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a subscription runs from its own purchase to its own end, not from the purchase that it renews")
  func times() async throws {
    let sold = message(token: distinct.id("token "), isSubscription: true)
    let engine = try engine([sold])
    let result = try #require(try await send(0, for: "anna", to: engine))
    #expect(result.granted == 31 && result.product == "plan")
    let account = try await engine.engine.account(AccountGet(account: "anna"), for: Caller())
    #expect(account.premiumUntil == sold.expiresAt)
    let period = try await engine.engine.creditHistory(CreditsHistory(account: "anna"), for: Caller()).currentPeriod
    #expect(period.starts == sold.purchasedAt && period.ends == sold.expiresAt)
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a payment that a host sells is known by its key, and each of its refunds by a key of its own")
  func host() async throws {
    let engine = try engine([])
    let caller = Caller(isTrusted: true)
    let (payment, later, events) = (distinct.id("pay "), distinct.id("pay "), (0..<3).map { _ in distinct.id("event ") })
    func refund(_ amount: Int, _ event: String, of payment: String) async throws -> CreditsRevoke.Result {
      try await engine.engine.revoke(
        CreditsRevoke(account: "anna", amount: amount, reason: "refunded", idempotencyKey: event, payment: payment),
        for: caller)
    }
    _ = try await engine.engine.grant(
      CreditsGrant(account: "anna", amount: 20, reason: "card", idempotencyKey: payment), for: caller)
    for isNew in [true, false] {
      let part = try await refund(6, events[0], of: payment)
      #expect(part.revoked == (isNew ? 6 : 0) && part.alreadyRevoked == !isNew && !part.waiting)
    }
    let rest = try await refund(20, events[1], of: payment)
    #expect(rest.revoked == 14 && rest.owed == 0 && rest.balance.available == 1)
    let early = try await refund(3, events[2], of: later)
    #expect(early.waiting && early.revoked == 0 && early.balance.available == 1)
    let paid = try await engine.engine.grant(
      CreditsGrant(account: "anna", amount: 8, reason: "card", idempotencyKey: later), for: caller)
    #expect(paid.granted == 8 && paid.balance.available == 6)
    try await engine.leaveWithTheLedgerInOrder()
  }
}

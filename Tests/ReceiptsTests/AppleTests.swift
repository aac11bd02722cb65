import AtelierProtocol
import JSON
import Receipts
import Testing

@Suite("Apple's receipts")
struct AppleTests {
  @Test("Apple's receipts are accepted or refused, each for its own reason", arguments: AppleVector.all)
  func judges(_ vector: AppleVector) async throws {
    let receipt = try vector.receipt()
    let store = try AppleStore.shared.get()
    let registry = PurchaseRegistry([try store.verifier(allowsSandbox: vector.allowsSandbox)])
    #expect(await registry.refusal(of: .apple(receipt), for: vector.account) == vector.refusal)
  }

  @Test("Apple's receipts tell all that a bundle's sale is about")
  func bundle() async throws {
    var store = try AppleStore.shared.get()
    store.payload["quantity"] = 3
    let paid = Timestamp(milliseconds: AppleStore.signedAt.milliseconds - 3_600_000)
    let purchase = try await verify(store)
    #expect(
      purchase
        == VerifiedPurchase(
          platform: .apple, transactionID: "2000000123456789", originalTransactionID: "2000000100000001",
          productID: "bundle48", quantity: 3, purchasedAt: paid,
          originalPurchasedAt: Timestamp(milliseconds: AppleStore.signedAt.milliseconds - 30 * 3_600_000)))
    #expect(purchase.replayKey == "apple:2000000123456789")
  }

  @Test("Apple's receipts tell when a subscription ends, and what it renews")
  func subscription() async throws {
    var store = try AppleStore.shared.get()
    store.sellSubscription()
    let purchase = try await verify(store)
    #expect(purchase.isSubscription)
    #expect(purchase.productID == "premium")
    #expect(purchase.transactionID == "2000000123456999")
    #expect(purchase.originalTransactionID == "2000000100000001")
    #expect(purchase.purchasedAt == Timestamp(milliseconds: AppleStore.signedAt.milliseconds - 3_600_000))
    #expect(purchase.expiresAt == Timestamp(milliseconds: AppleStore.now.milliseconds + 26 * AppleStore.day))
    #expect(
      purchase.originalPurchasedAt
        == Timestamp(milliseconds: AppleStore.signedAt.milliseconds - 31 * AppleStore.day))
    #expect(purchase.revokedAt == nil)
  }

  @Test(
    "Apple's receipts tell that the store took a purchase back, so that it can be taken back here", arguments: [true, false])
  func revoked(isOver: Bool) async throws {
    var store = try AppleStore.shared.get()
    store.sellSubscription()
    store.payload["expiresDate"] = .time(AppleStore.now, hours: isOver ? -1 : 1)
    store.payload["revocationDate"] = .time(AppleStore.signedAt)
    store.payload["revocationReason"] = 1
    let purchase = try await verify(store)
    #expect(purchase.revokedAt == AppleStore.signedAt)
    #expect(purchase.replayKey == "apple:2000000123456999")
  }

  @Test("Apple's receipts have one key for one transaction, whatever else they say and whenever they are signed")
  func replay() async throws {
    var store = try AppleStore.shared.get()
    let key = try await verify(store).replayKey
    let changes: [(String, JSONValue)] = [
      ("originalTransactionId", "2000000100000077"), ("webOrderLineItemId", "2000000045670077"),
      ("signedDate", .time(AppleStore.signedAt, hours: 1)), ("revocationDate", .time(AppleStore.signedAt)),
    ]
    for (member, value) in changes {
      store.payload[member] = value
      #expect(try await verify(store).replayKey == key, "\(member)")
    }
    store.payload["transactionId"] = "2000000123456777"
    #expect(try await verify(store).replayKey != key)
  }

  @Test("Apple's receipts of the sandbox never share a key with those that were paid for")
  func sandbox() async throws {
    var store = try AppleStore.shared.get()
    store.payload["environment"] = "Sandbox"
    let purchase = try await verify(store, allowsSandbox: true)
    #expect(purchase.isSandbox)
    #expect(purchase.replayKey == "apple-sandbox:2000000123456789")
  }

  @Test("Apple's receipts are refused under Apple's real root when a test's signed them")
  func realRoot() async throws {
    let store = try AppleStore.shared.get()
    let verifier = ApplePurchaseVerifier(bundleID: AppleStore.bundleID, productIDs: AppleStore.productIDs)
    #expect(await PurchaseRegistry([verifier]).refusal(of: .apple(try store.transaction())) == .untrustedRoot)
  }

  @Test("Apple's receipts are refused where none are taken, and where no root is trusted")
  func notConfigured() async throws {
    let store = try AppleStore.shared.get()
    let receipt = PurchaseProof.apple(try store.transaction())
    #expect(await PurchaseRegistry().refusal(of: receipt) == .notConfigured)
    let google = try GooglePlay.shared.get().verifier()
    #expect(await PurchaseRegistry([google]).refusal(of: receipt) == .notConfigured)
    let verifier = ApplePurchaseVerifier(bundleID: AppleStore.bundleID, productIDs: AppleStore.productIDs, roots: [])
    #expect(await PurchaseRegistry([verifier]).refusal(of: receipt) == .untrustedRoot)
  }

  private func verify(_ store: AppleStore, allowsSandbox: Bool = false) async throws -> VerifiedPurchase {
    let verifier = try store.verifier(allowsSandbox: allowsSandbox)
    return try await verifier.verify(.apple(store.transaction()), for: AppleStore.account, at: AppleStore.now)
  }
}

import AtelierProtocol
import Crypto
import CryptoExtras
import Receipts
import Testing

@Suite("Google's receipts")
struct GoogleTests {
  @Test("Google's receipts are accepted or refused, each for its own reason", arguments: GoogleVector.all)
  func judges(_ vector: GoogleVector) async throws {
    let receipt = try vector.receipt()
    let registry = PurchaseRegistry([try GooglePlay.shared.get().verifier()])
    #expect(await registry.refusal(of: receipt, for: vector.account) == vector.refusal)
  }

  @Test("Google's receipts tell all that a sale is about, and nothing of its end")
  func sale() async throws {
    var play = try GooglePlay.shared.get()
    play.purchase["quantity"] = 5
    let purchase = try await verify(play)
    #expect(
      purchase
        == VerifiedPurchase(
          platform: .google, transactionID: "GPA.3312-7745-0912-11873", productID: "bundle8", quantity: 5,
          purchasedAt: GooglePlay.purchasedAt, purchaseToken: "opaque-token-up-to-1500-characters.AO-J1O"))
  }

  @Test("Google's receipts tell subscriptions from the rest by what only they have", arguments: [true, false])
  func subscription(renews: Bool) async throws {
    var play = try GooglePlay.shared.get()
    play.purchase["productId"] = "premium"
    play.purchase["autoRenewing"] = .bool(renews)
    let purchase = try await verify(play)
    #expect(purchase.isSubscription)
    #expect(purchase.expiresAt == nil)
  }

  @Test("Google's receipts tell that a purchase was cancelled, so that it can be taken back here")
  func cancelled() async throws {
    var play = try GooglePlay.shared.get()
    #expect(try await verify(play).revokedAt == nil)
    play.purchase["purchaseState"] = 1
    #expect(try await verify(play).revokedAt == AppleStore.now)
  }

  @Test("Google's receipts have one key for one purchase token, whatever else they say")
  func replay() async throws {
    var play = try GooglePlay.shared.get()
    let key = try await verify(play).replayKey
    // sha256("opaque-token-up-to-1500-characters.AO-J1O")
    #expect(key == "google:a332488283e5f45d32dd356e72b6b8891604add29761aa36052dbe7e12c15699")
    play.purchase["orderId"] = "GPA.3312-7745-0912-11873..1"
    play.purchase["acknowledged"] = true
    #expect(try await verify(play).replayKey == key)
    play.purchase["purchaseToken"] = "another"
    #expect(try await verify(play).replayKey != key)
  }

  @Test("Google's receipts are refused where none are taken")
  func notConfigured() async throws {
    let play = try GooglePlay.shared.get()
    #expect(await PurchaseRegistry().refusal(of: try play.receipt()) == .notConfigured)
  }

  private func verify(_ play: GooglePlay) async throws -> VerifiedPurchase {
    try await play.verifier().verify(play.receipt(), for: GooglePlay.account, at: AppleStore.now)
  }
}

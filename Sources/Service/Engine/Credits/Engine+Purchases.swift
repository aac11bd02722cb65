import AtelierProtocol
import Receipts
import Store

extension Engine {
  /// Grants the credits of a purchase that its store has signed; durable before it returns. A purchase that the store
  /// has revoked is revoked here as well.
  /// - Throws: `invalid_receipt` with the reason, `permission_denied`, or what the store throws.
  public func purchase(_ request: CreditsPurchase, for caller: Caller) async throws -> CreditsPurchase.Result {
    let account = try caller.otherAccount(
      naming: request.account, "The account “owner” needs no credits. Name the account that bought them.")
    let verified = try await verify(request.proof, for: account)
    let store = try await lazyStore.store()
    let purchase = try self.purchase(verified, by: account)
    if let revokedAt = verified.revokedAt {
      if try await store.refund(purchase, at: revokedAt) {
        await parts.balances.creditsChanged(of: account)
      }
      throw AtelierError(ReceiptRefusal(.revoked))
    }
    switch try await store.record(purchase) {
    case .counted(let granted, let balance, let reason):
      await parts.balances.creditsChanged(of: account)
      return CreditsPurchase.Result(
        account: account, product: purchase.product, transactionId: verified.transactionID, granted: granted,
        reason: reason, balance: configuration.credits.shown(balance),
        limits: try await usage(of: account, for: caller).map(\.shown))
    case .countedBefore(let balance):
      return CreditsPurchase.Result(
        account: account, product: purchase.product, transactionId: verified.transactionID, granted: 0,
        alreadyGranted: true, reason: .alreadyGranted, balance: configuration.credits.shown(balance),
        limits: try await usage(of: account, for: caller).map(\.shown))
    case .ofAnotherAccount: throw AtelierError.purchaseOfAnotherAccount
    case .ofDeletedAccount: throw AtelierError.purchaseOfDeletedAccount
    case .refunded: throw AtelierError(ReceiptRefusal(.revoked))
    }
  }

  private func verify(_ proof: PurchaseProof, for account: AccountID) async throws(AtelierError) -> VerifiedPurchase {
    let purchases = configuration.credits.purchases
    do throws(ReceiptRefusal) {
      return try await purchases.verify(proof, for: account, at: surroundings.now())
    } catch {
      // What was bought for a guest's account belongs to the account that it was merged into.
      guard error.reason == .wrongAccount else { throw AtelierError(error) }
      for merged in try await mergedAccounts(into: account) {
        if let verified = try? await purchases.verify(proof, for: merged, at: surroundings.now()) { return verified }
      }
      throw AtelierError(error)
    }
  }

  private func mergedAccounts(into account: AccountID) async throws(AtelierError) -> [AccountID] {
    do {
      return try await lazyStore.store().mergedAccounts(into: account)
    } catch {
      throw AtelierError(wrapping: error)
    }
  }

  /// The purchase as the ledger records it.
  private func purchase(_ verified: VerifiedPurchase, by account: AccountID) throws(AtelierError) -> Purchase {
    guard let product = configuration.credits.product(verified.productID, in: verified.platform),
      verified.isSubscription == (product.kind == .subscription)
    else { throw AtelierError(ReceiptRefusal(.wrongProduct)) }
    var purchase = Purchase(
      source: verified.replayKey, account: account, product: product.id, kind: product.kind, credits: product.credits,
      quantity: verified.quantity, purchasedAt: verified.purchasedAt, expiresAt: verified.expiresAt)
    guard product.kind == .subscription else {
      purchase.expiresAt = nil
      return purchase
    }
    // Google signs no expiry: its product runs for a month from the purchase, and its servers sign each renewal anew.
    let ends = verified.expiresAt ?? verified.purchasedAt.adding(months: 1)
    guard verified.revokedAt != nil || ends > surroundings.now() else { throw AtelierError(ReceiptRefusal(.expired)) }
    purchase.expiresAt = ends
    return purchase
  }
}

extension AtelierError {
  fileprivate init(_ refusal: ReceiptRefusal) {
    self.init(
      .invalidReceipt, refusal.sentence, details: InvalidReceiptDetails(reason: refusal.reason.rawValue).json)
  }

  /// The refusal of a purchase whose credits went to another account.
  fileprivate static var purchaseOfAnotherAccount: AtelierError {
    AtelierError(
      .invalidReceipt, "Another account already has the credits of this purchase: use that account.",
      details: InvalidReceiptDetails(reason: "other_account").json)
  }
}

extension AtelierError {
  /// The refusal of a purchase whose account was deleted.
  fileprivate static var purchaseOfDeletedAccount: AtelierError {
    AtelierError(
      .invalidReceipt, "The account that had this purchase was deleted, and its credits with it.",
      details: InvalidReceiptDetails(reason: "other_account").json)
  }
}

extension CreditProduct {
  /// The default products. They are offered once the operator says where they are sold.
  public static let standard = [
    CreditProduct(
      id: "premium_month", kind: .subscription, title: "168 pictures a month", credits: 168,
      price: Price(amount: "9.99", currency: "USD"), period: .month),
    CreditProduct(
      id: "bundle_8", kind: .bundle, title: "8 pictures", credits: 8, price: Price(amount: "0.99", currency: "USD")),
    CreditProduct(
      id: "bundle_48", kind: .bundle, title: "48 pictures", credits: 48,
      price: Price(amount: "4.99", currency: "USD")),
  ]
}

import AtelierProtocol
import Crypto
import Encodings

/// A shop's sale to an account, confirmed by the shop's signature.
///
/// Only a verifier creates one. It confirms that the purchase is genuine, belongs to this app and this account, and is
/// of a known product. The ledger must check by ``replayKey`` that it was not granted before; callers must check
/// ``revokedAt`` for a revocation by the shop before they grant anything.
public struct VerifiedPurchase: Sendable, Equatable {
  /// The shop that signed it.
  public let platform: PurchasePlatform
  /// True for a purchase made in Apple's sandbox, without money. The configuration decides whether these are accepted.
  public let isSandbox: Bool
  /// The shop's identifier of this purchase: Apple's `transactionId`, Google's `orderId`.
  public let transactionID: String
  /// The purchase that this one renews or restores: Apple's `originalTransactionId`. Google has none.
  public let originalTransactionID: String?
  /// The product, one of those configured.
  public let productID: String
  /// True for an auto-renewing subscription: Apple's `type` says so, or Google's `autoRenewing` is present.
  public let isSubscription: Bool
  /// The purchased quantity, 1 to 1000; always 1 for a subscription.
  public let quantity: Int
  /// The time of payment.
  public let purchasedAt: Timestamp
  /// The time of payment of the purchase that this one renews or restores. Google does not state it.
  public let originalPurchasedAt: Timestamp?
  /// When the paid period ends; always after the time of verification, unless ``revokedAt`` is set.
  ///
  /// Present for every Apple subscription; data signed by Google never states the end.
  public let expiresAt: Timestamp?
  /// When the shop revoked the purchase. It must not be granted then, and an earlier grant must be revoked.
  ///
  /// For Google, which only states that it was cancelled, this is the time of verification.
  public let revokedAt: Timestamp?
  /// Google's `purchaseToken`, with which a host acknowledges or consumes the purchase. Apple has none.
  public let purchaseToken: String?

  package init(
    platform: PurchasePlatform, isSandbox: Bool = false, transactionID: String, originalTransactionID: String? = nil,
    productID: String, isSubscription: Bool = false, quantity: Int = 1, purchasedAt: Timestamp,
    originalPurchasedAt: Timestamp? = nil, expiresAt: Timestamp? = nil, revokedAt: Timestamp? = nil,
    purchaseToken: String? = nil
  ) {
    self.platform = platform
    self.isSandbox = isSandbox
    self.transactionID = transactionID
    self.originalTransactionID = originalTransactionID
    self.productID = productID
    self.isSubscription = isSubscription
    self.quantity = quantity
    self.purchasedAt = purchasedAt
    self.originalPurchasedAt = originalPurchasedAt
    self.expiresAt = expiresAt
    self.revokedAt = revokedAt
    self.purchaseToken = purchaseToken
  }
}

extension VerifiedPurchase {
  /// The same text whenever the same purchase is submitted, and never that of another purchase: the key that ensures it
  /// is granted only once. ASCII, at most 150 characters.
  ///
  /// For Apple, the transaction, whose ids are unique within an environment. For Google, the SHA-256 of the purchase
  /// token, which Play documents as the identifier of a purchase; a subscription keeps its token when it renews.
  public var replayKey: String {
    guard let purchaseToken else { return "\(platform.rawValue)\(isSandbox ? "-sandbox" : ""):\(transactionID)" }
    return "\(platform.rawValue):\(Hexadecimal.text(SHA256.hash(data: Array(purchaseToken.utf8))))"
  }
}

import AtelierProtocol
import Crypto

/// What a store has sold to an account, and vouches for with its signature.
///
/// Only a verifier makes one. It says that the purchase is genuine, of this app, a known product and the account's
/// own. That nobody was granted it before is for the ledger to see, by ``replayKey``; whether the store has taken it
/// back since is in ``revokedAt``, which a caller must look at before it grants anything.
public struct VerifiedPurchase: Sendable, Equatable {
  /// The store that signed a purchase; the raw values are names on the wire.
  public enum Platform: String, Sendable, CaseIterable {
    case apple, google
  }

  public let platform: Platform
  /// True for a purchase made in Apple's sandbox, without money. The configuration decides whether there are any.
  public let isSandbox: Bool
  /// The store's name for this very purchase: Apple's `transactionId`, Google's `orderId`.
  public let transactionID: String
  /// What it renews or restores: Apple's `originalTransactionId`. Google has none.
  public let originalTransactionID: String?
  /// The product, one of those configured.
  public let productID: String
  /// True for a subscription that renews itself: Apple's `type` says so, and Google's `autoRenewing` is there at all.
  public let isSubscription: Bool
  /// How many of the product were bought, 1 to 1000; always 1 for a subscription.
  public let quantity: Int
  /// When it was paid for.
  public let purchasedAt: Timestamp
  /// When the purchase it renews or restores was paid for. Google does not tell.
  public let originalPurchasedAt: Timestamp?
  /// When what was paid for ends; always after the time it was verified at, unless ``revokedAt`` is set.
  ///
  /// Every subscription of Apple's has it; what Google signs never tells the end.
  public let expiresAt: Timestamp?
  /// When the store took the purchase back. It may not be granted then, and what was granted for it is to be revoked.
  ///
  /// For Google, which only tells that it was cancelled, the time it was verified at.
  public let revokedAt: Timestamp?
  /// Google's `purchaseToken`, with which a host acknowledges or consumes the purchase. Apple has none.
  public let purchaseToken: String?

  package init(
    platform: Platform, isSandbox: Bool = false, transactionID: String, originalTransactionID: String? = nil,
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
  /// The same text for the same purchase however often it is submitted, and never that of another one: the key under
  /// which it is granted once. ASCII, at most 150 characters.
  ///
  /// Apple's is the transaction, as its own ids are unique within an environment. Google's is the SHA-256 of the
  /// purchase token, which Play documents as what names a purchase; a subscription keeps its token when it renews.
  public var replayKey: String {
    guard let purchaseToken else { return "\(platform.rawValue)\(isSandbox ? "-sandbox" : ""):\(transactionID)" }
    return "\(platform.rawValue):\(SHA256.hash(data: Array(purchaseToken.utf8)).hexadecimal.joined())"
  }
}

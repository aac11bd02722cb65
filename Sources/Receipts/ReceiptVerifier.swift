import AtelierProtocol
import Crypto
import Encodings

/// Verifies the receipts of every configured store, without any network.
///
/// The same receipt, account and time always give the same result; nothing is stored.
public struct ReceiptVerifier: Sendable {
  /// The maximum size of a receipt in bytes of UTF-8, including the signature. Apple's have about 6,000.
  public static let maximumBytes = 65_536

  /// Nil if Apple's receipts are not accepted.
  public let apple: AppleReceiptVerifier?
  /// Nil if Google's receipts are not accepted.
  public let google: GoogleReceiptVerifier?

  /// - Parameters:
  ///   - apple: the requirements for Apple's receipts; nil refuses them all as `not_configured`.
  ///   - google: the same for Google's.
  public init(apple: AppleReceiptConfiguration? = nil, google: GoogleReceiptConfiguration? = nil) {
    self.apple = apple.map(AppleReceiptVerifier.init)
    self.google = google.map(GoogleReceiptVerifier.init)
  }

  /// Verifies `receipt`.
  /// - Parameters:
  ///   - account: the submitter; the purchase must have been made for this account (``AppAccountToken``).
  ///   - now: the time of verification; only expiry depends on it.
  /// - Throws: ``ReceiptRefusal``.
  public func verify(
    _ receipt: SubmittedReceipt, for account: AccountID, at now: Timestamp
  ) async throws(ReceiptRefusal) -> VerifiedPurchase {
    switch receipt {
    case .apple(let transaction):
      guard let apple else { throw ReceiptRefusal(.notConfigured) }
      return try await apple.verify(transaction, for: account, at: now)
    case .google(let purchase, let signature):
      guard let google else { throw ReceiptRefusal(.notConfigured) }
      return try google.verify(purchase, signature: signature, for: account, at: now)
    }
  }
}

/// An unverified receipt as submitted by a host.
public enum SubmittedReceipt: Sendable, Equatable {
  /// StoreKit's `jwsRepresentation` of a transaction: a JWS in compact serialization (RFC 7515 section 3.1).
  case apple(transaction: String)
  /// Play Billing's `getOriginalJson()`, character for character, and `getSignature()` in base64.
  case google(purchase: String, signature: String)
}

/// A store's sale to an account, confirmed by the store's signature.
///
/// Only a verifier creates one. It confirms that the purchase is genuine, belongs to this app and this account, and is
/// of a known product. The ledger must check by ``replayKey`` that it was not granted before; callers must check
/// ``revokedAt`` for a revocation by the store before they grant anything.
public struct VerifiedPurchase: Sendable, Equatable {
  /// The store that signed a purchase; the raw values are names in the protocol.
  public enum Platform: String, Sendable, CaseIterable {
    case apple, google
  }

  public let platform: Platform
  /// True for a purchase made in Apple's sandbox, without money. The configuration decides whether these are accepted.
  public let isSandbox: Bool
  /// The store's identifier of this purchase: Apple's `transactionId`, Google's `orderId`.
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
  /// When the store revoked the purchase. It must not be granted then, and an earlier grant must be revoked.
  ///
  /// For Google, which only states that it was cancelled, this is the time of verification.
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

/// The UUID by which a purchase names an account: the host passes it to the store when it starts a purchase.
///
/// StoreKit accepts only a UUID (`appAccountToken`), while an account id may be any text. An account id that is a UUID
/// is its own token; the token of any other is its version 5 UUID (RFC 9562 section 5.5) under ``namespace``, with the
/// id's UTF-8 as the name, so that any host can compute it.
public struct AppAccountToken: Sendable, Hashable {
  /// The namespace of the derived tokens. It never changes: stores keep purchases made under it permanently.
  public static let namespace = "f0d8fe6d-1201-4896-b790-c3437a3f38f7"

  private static let namespaceBytes: [UInt8] = [
    0xf0, 0xd8, 0xfe, 0x6d, 0x12, 0x01, 0x48, 0x96, 0xb7, 0x90, 0xc3, 0x43, 0x7a, 0x3f, 0x38, 0xf7,
  ]

  /// The UUID in lower case: `c8b2b3a8-…`.
  public let text: String

  /// The token of `account`.
  public init(for account: AccountID) {
    text = Self.canonical(account.rawValue) ?? Self.derived(from: account.rawValue)
  }

  /// Whether `other` is the same UUID, ignoring case.
  public func matches(_ other: String) -> Bool { Self.canonical(other) == text }

  /// `text` in lower case, if it is a UUID in the format of RFC 9562 section 4.
  private static func canonical(_ text: String) -> String? {
    var canonical: [UInt8] = []
    for (position, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "-") where [8, 13, 18, 23].contains(position): canonical.append(byte)
      case _ where [8, 13, 18, 23].contains(position): return nil
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): canonical.append(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): canonical.append(byte | 0x20)
      default: return nil
      }
    }
    return canonical.count == 36 ? String(decoding: canonical, as: UTF8.self) : nil
  }

  private static func derived(from name: String) -> String {
    var bytes = Array(Insecure.SHA1.hash(data: namespaceBytes + name.utf8).prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x50
    bytes[8] = bytes[8] & 0x3f | 0x80
    let groups = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
    return groups.map(Hexadecimal.text).joined(separator: "-")
  }
}

extension AppAccountToken: CustomStringConvertible {
  public var description: String { text }
}

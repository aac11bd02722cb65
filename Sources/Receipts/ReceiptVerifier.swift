import AtelierProtocol
import Crypto
import Encodings

/// Verifies the receipts of every configured store, without any network (REQUIREMENTS 6.7).
///
/// The same receipt, account and time always give the same answer; nothing is remembered or written.
public struct ReceiptVerifier: Sendable {
  /// The longest receipt that is looked at, in bytes of UTF-8, the signature included. Apple's have about 6,000.
  public static let maximumBytes = 65_536

  /// Nil where no receipts of Apple's are taken.
  public let apple: AppleReceiptVerifier?
  /// Nil where no receipts of Google's are taken.
  public let google: GoogleReceiptVerifier?

  /// - Parameters:
  ///   - apple: what Apple's receipts must be; nil refuses them all as `not_configured`.
  ///   - google: the same for Google's.
  public init(apple: AppleReceiptConfiguration? = nil, google: GoogleReceiptConfiguration? = nil) {
    self.apple = apple.map(AppleReceiptVerifier.init)
    self.google = google.map(GoogleReceiptVerifier.init)
  }

  /// Judges `receipt`.
  /// - Parameters:
  ///   - account: who submits it; it must have been bought for this account (``AppAccountToken``).
  ///   - now: when it is judged; only expiry depends on it.
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

/// A receipt as a host hands it in, of which nothing is believed yet.
public enum SubmittedReceipt: Sendable, Equatable {
  /// StoreKit's `jwsRepresentation` of a transaction: a JWS in compact serialization (RFC 7515 section 3.1).
  case apple(transaction: String)
  /// Play Billing's `getOriginalJson()`, character for character, and `getSignature()` in base64.
  case google(purchase: String, signature: String)
}

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
    return "\(platform.rawValue):\(Hexadecimal.text(SHA256.hash(data: Array(purchaseToken.utf8))))"
  }
}

/// The UUID by which a purchase names an account: what a host gives to the store when it starts a purchase.
///
/// StoreKit takes nothing but a UUID (`appAccountToken`), and an account id may be any text. An account id that is a
/// UUID is its own token; that of any other is its UUID of version 5 (RFC 9562 section 5.5) under ``namespace``, with
/// the id's UTF-8 as the name, so that any host can compute it.
public struct AppAccountToken: Sendable, Hashable {
  /// The namespace of the derived tokens. It never changes: purchases made under it are kept by the stores for good.
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

  /// Whether `other` is the same UUID, in upper or lower case.
  public func matches(_ other: String) -> Bool { Self.canonical(other) == text }

  /// `text` in lower case, when it is a UUID as RFC 9562 section 4 writes it.
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

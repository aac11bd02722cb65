/// Why a receipt is not accepted.
///
/// It holds no part of the receipt, no key and nothing of how the service works inside, so it may be told to whoever
/// submitted it (REQUIREMENTS 5.1).
public struct ReceiptRefusal: Error, Sendable, Equatable {
  /// What is wrong; the raw values are stable names on the wire, and more may come.
  public enum Reason: String, Sendable, CaseIterable {
    /// Not what the store hands out: damaged, cut, or without something every receipt has.
    case malformed
    /// Longer than ``ReceiptVerifier/maximumBytes``; nothing of it was read.
    case tooLarge = "too_large"
    /// Signed by another method than the store's, or by none.
    case wrongAlgorithm = "wrong_algorithm"
    /// The certificates are not three, of which each vouches for the one before.
    case wrongChain = "wrong_chain"
    /// The certificates do not end in a configured root.
    case untrustedRoot = "untrusted_root"
    /// A certificate was not valid yet, or no longer, when the receipt was signed.
    case expiredCertificate = "expired_certificate"
    /// The certificates are the store's, but not those it signs receipts with.
    case missingOID = "missing_oid"
    /// The signature is not that of the store over this receipt.
    case badSignature = "bad_signature"
    /// Of another app.
    case wrongBundle = "wrong_bundle"
    /// Of a product that is not for sale here.
    case wrongProduct = "wrong_product"
    /// Of a test environment that is not allowed, or from no store at all.
    case wrongEnvironment = "wrong_environment"
    /// Another account's.
    case wrongAccount = "wrong_account"
    /// Nobody's: it does not say which account it was made for.
    case missingAccount = "missing_account"
    /// A family member's, who shares it.
    case familyShared = "family_shared"
    /// The time that was paid for is over.
    case expired
    /// Not paid yet.
    case pending
    /// No number of items that can be bought.
    case wrongQuantity = "wrong_quantity"
    /// Taken back by the store. Verifiers never refuse for this (see ``VerifiedPurchase/revokedAt``); callers do.
    case revoked
    /// This service takes no receipts of that store.
    case notConfigured = "not_configured"
  }

  public let reason: Reason

  public init(_ reason: Reason) { self.reason = reason }
}

extension ReceiptRefusal {
  /// One sentence a person can act on.
  public var sentence: String {
    switch reason {
    case .malformed: "This receipt is damaged or incomplete: restore your purchases in the store and send it again."
    case .tooLarge: "This receipt is too long to be genuine: restore your purchases in the store and send it again."
    case .wrongAlgorithm:
      "This receipt is not signed the way the store signs: restore your purchases in the store and send it again."
    case .wrongChain, .missingOID:
      "This receipt is not signed by the store: restore your purchases in the store and send it again."
    case .untrustedRoot: "This receipt is signed by somebody this service does not trust: buy from the store itself."
    case .expiredCertificate:
      "This receipt was signed when its certificate was not valid: restore your purchases and send it again."
    case .badSignature: "The signature of this receipt is wrong: restore your purchases in the store and send it again."
    case .wrongBundle: "This purchase was made in another app: use it there."
    case .wrongProduct: "This product is not known here: update the app, or ask for support."
    case .wrongEnvironment: "This is a test purchase, which is not accepted here: buy from the store itself."
    case .wrongAccount: "This purchase belongs to another account: sign in with the account that bought it."
    case .missingAccount: "This purchase names no account: buy it again while signed in, or ask for support."
    case .familyShared: "This purchase is shared by a family member: only the account that bought it can use it."
    case .expired: "The time this purchase paid for is over: renew the subscription."
    case .pending: "This purchase is not paid yet: send it again once the payment has gone through."
    case .wrongQuantity: "This purchase has no valid number of items: ask for support."
    case .revoked: "The store has refunded this purchase: buy it again to use it."
    case .notConfigured: "Purchases from this store are not accepted here: ask whoever runs this service."
    }
  }
}

/// Why what an operator configured cannot be used to verify receipts.
public enum ReceiptConfigurationFailure: Error, Sendable, Equatable {
  /// Neither a PEM nor a DER file with exactly one certificate of an authority.
  case unreadableRoot
  /// Not base64 of an RSA key as Google's console shows it (SubjectPublicKeyInfo).
  case unreadableKey
  /// An RSA key shorter than ``GooglePublicKey/minimumBits``.
  case weakKey(bits: Int)

  /// One sentence for the operator, with what to do about it; it never quotes what was configured.
  public var sentence: String {
    switch self {
    case .unreadableRoot:
      "The root certificate cannot be read: give a PEM or DER file with one certificate of an authority."
    case .unreadableKey:
      "The Google Play public key cannot be read: copy the base64 text of the licensing key from the Play Console."
    case .weakKey(let bits):
      "The Google Play public key has only \(bits) bits: at least \(GooglePublicKey.minimumBits) are needed."
    }
  }
}

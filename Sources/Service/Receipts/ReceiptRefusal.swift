import AtelierProtocol
import Localization

/// Why a receipt is not accepted.
///
/// It contains no part of the receipt, no key and no internals of the service, so it may be shown to the submitter.
public struct ReceiptRefusal: Error, Sendable, Equatable {
  /// The problem; the raw values are stable names in the protocol, and more may be added.
  public enum Reason: String, Sendable, CaseIterable {
    /// Not in the shop's format: damaged, truncated, or without a required part.
    case malformed
    /// Longer than ``PurchaseProof/maximumBytes``; not parsed.
    case tooLarge = "too_large"
    /// Signed with a different algorithm than the shop's, or unsigned.
    case wrongAlgorithm = "wrong_algorithm"
    /// The certificates are not a chain of three in which each certifies the one before.
    case wrongChain = "wrong_chain"
    /// The certificate chain does not end in a configured root.
    case untrustedRoot = "untrusted_root"
    /// A certificate was not yet valid, or had expired, when the receipt was signed.
    case expiredCertificate = "expired_certificate"
    /// The certificates are the shop's, but not the ones it uses to sign receipts.
    case missingOID = "missing_oid"
    /// The signature is not the shop's signature of this receipt.
    case badSignature = "bad_signature"
    /// The receipt belongs to another app.
    case wrongBundle = "wrong_bundle"
    /// The product is not for sale here.
    case wrongProduct = "wrong_product"
    /// The receipt is from a test environment that is not allowed, or not from a shop at all.
    case wrongEnvironment = "wrong_environment"
    /// The receipt belongs to another account.
    case wrongAccount = "wrong_account"
    /// The receipt does not say for which account it was made.
    case missingAccount = "missing_account"
    /// The purchase belongs to a family member, who shares it.
    case familyShared = "family_shared"
    /// The paid period is over.
    case expired
    /// Not paid yet.
    case pending
    /// The quantity is not one that can be purchased.
    case wrongQuantity = "wrong_quantity"
    /// Revoked by the shop. Verifiers never refuse for this (see ``VerifiedPurchase/revokedAt``); callers do.
    case revoked
    /// This service does not accept receipts of that shop.
    case notConfigured = "not_configured"
  }

  public let reason: Reason

  public init(_ reason: Reason) { self.reason = reason }
}

extension ReceiptRefusal {
  /// What the person can do.
  public var sentence: Sentence {
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
    case .notConfigured: "Purchases from this store are not accepted here: ask for support."
    }
  }
}

/// Why an operator's configuration cannot be used to verify receipts.
public enum ReceiptConfigurationFailure: Error, Sendable, Equatable {
  /// A file that the configuration names, with the reason why it cannot be read, as a sentence.
  case unreadableFile(reason: String)
  /// Neither a PEM nor a DER file with exactly one CA certificate.
  case unreadableRoot
  /// Not the base64 of an RSA key as shown in Google's console (SubjectPublicKeyInfo).
  case unreadableKey
  /// An RSA key shorter than ``GooglePublicKey/minimumBits``.
  case weakKey(bits: Int)

  /// One sentence for the operator that says what to do; it never quotes the configured value.
  public var sentence: String {
    switch self {
    case .unreadableFile(let reason): reason
    case .unreadableRoot:
      "The root certificate cannot be read: give a PEM or DER file with one certificate of an authority."
    case .unreadableKey:
      "The Google Play public key cannot be read: copy the base64 text of the licensing key from the Play Console."
    case .weakKey(let bits):
      "The Google Play public key has only \(bits) bits: at least \(GooglePublicKey.minimumBits) are needed."
    }
  }
}

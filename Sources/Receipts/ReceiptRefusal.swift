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

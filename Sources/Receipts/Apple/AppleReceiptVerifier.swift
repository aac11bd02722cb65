import AtelierProtocol
import Crypto

/// Verifies transactions signed by Apple (`JWSTransaction` of the App Store), without any network.
///
/// Certificates that Apple has revoked are not detected, as that requires its servers.
public struct AppleReceiptVerifier: Sendable {
  public let configuration: AppleReceiptConfiguration

  public init(_ configuration: AppleReceiptConfiguration) { self.configuration = configuration }

  /// Verifies `transaction`: first its signer, then its content, which is read from exactly the signed bytes.
  /// - Parameters:
  ///   - transaction: a JWS in compact serialization, of at most ``ReceiptVerifier/maximumBytes``.
  ///   - account: the account whose `appAccountToken` it must name.
  ///   - now: the time at which a subscription must still be active.
  /// - Returns: the purchase; for a revoked one, ``VerifiedPurchase/revokedAt`` is set.
  /// - Throws: ``ReceiptRefusal``.
  public func verify(
    _ transaction: String, for account: AccountID, at now: Timestamp
  ) async throws(ReceiptRefusal) -> VerifiedPurchase {
    let jws = try CompactJWS(transaction)
    let chain = try AppleCertificateChain(jws.certificates, trusting: configuration.roots)
    let payload = try AppleTransaction(jws.payload)
    let key = try await chain.signerKey(at: payload.signedAt)
    // ES256 concatenates the two numbers, 32 bytes each, instead of using DER (RFC 7518 section 3.4).
    guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.signature),
      key.isValidSignature(signature, for: jws.signedBytes)
    else { throw ReceiptRefusal(.badSignature) }
    return try payload.purchase(configuration, for: account, at: now)
  }
}

/// The requirements for Apple's receipts.
public struct AppleReceiptConfiguration: Sendable, Equatable {
  /// The app's bundle identifier, compared exactly.
  public var bundleID: String
  /// The identifiers of the products for sale, compared exactly.
  public var productIDs: Set<String>
  /// The trusted roots.
  public var roots: [AppleRootCertificate]
  /// Whether purchases of Apple's sandbox are accepted, as they should be while an app is tested. Purchases of Xcode,
  /// which Apple does not sign, are never accepted.
  public var allowsSandbox: Bool

  /// - Parameters:
  ///   - roots: Apple's own by default.
  ///   - allowsSandbox: false by default.
  public init(
    bundleID: String, productIDs: Set<String>, roots: [AppleRootCertificate] = [.appleG3], allowsSandbox: Bool = false
  ) {
    self.bundleID = bundleID
    self.productIDs = productIDs
    self.roots = roots
    self.allowsSandbox = allowsSandbox
  }
}

/// The content of one of Apple's transactions (`JWSTransactionDecodedPayload`), and its validation.
struct AppleTransaction {
  /// The product types, as Apple names them.
  private enum Kind: String {
    case subscription = "Auto-Renewable Subscription"
    case nonConsumable = "Non-Consumable"
    case consumable = "Consumable"
    case nonRenewingSubscription = "Non-Renewing Subscription"
  }

  private let document: SignedDocument
  /// When Apple signed it.
  let signedAt: Timestamp

  /// - Throws: `malformed`.
  init(_ payload: [UInt8]) throws(ReceiptRefusal) {
    document = try SignedDocument(payload)
    signedAt = try document.time("signedDate").required()
  }

  /// - Throws: ``ReceiptRefusal``, for the first problem.
  func purchase(
    _ configuration: AppleReceiptConfiguration, for account: AccountID, at now: Timestamp
  ) throws(ReceiptRefusal) -> VerifiedPurchase {
    guard try document.text("bundleId") == configuration.bundleID else { throw ReceiptRefusal(.wrongBundle) }
    let isSandbox = try isSandbox(allowed: configuration.allowsSandbox)
    guard let product = try document.text("productId"), configuration.productIDs.contains(product) else {
      throw ReceiptRefusal(.wrongProduct)
    }
    try checkOwner(account)
    let kind = try Kind(rawValue: document.text("type").required()).required()
    let expiresAt = try document.time("expiresDate")
    let revokedAt = try document.time("revocationDate")
    try checkExpiry(expiresAt, kind, isRevoked: revokedAt != nil, at: now)
    return VerifiedPurchase(
      platform: .apple, isSandbox: isSandbox,
      transactionID: try document.identifier("transactionId").required(),
      originalTransactionID: try document.identifier("originalTransactionId"),
      productID: product, isSubscription: kind == .subscription,
      quantity: try document.quantity(isSubscription: kind == .subscription),
      purchasedAt: try document.time("purchaseDate").required(),
      originalPurchasedAt: try document.time("originalPurchaseDate"),
      expiresAt: expiresAt, revokedAt: revokedAt)
  }

  /// The developer's own machine signs `Xcode` and `LocalTesting`, and Apple's library does not even check the
  /// signature there; nothing that names them can be trusted.
  private func isSandbox(allowed: Bool) throws(ReceiptRefusal) -> Bool {
    switch try document.text("environment") {
    case "Production": return false
    case "Sandbox" where allowed: return true
    default: throw ReceiptRefusal(.wrongEnvironment)
    }
  }

  private func checkOwner(_ account: AccountID) throws(ReceiptRefusal) {
    // Old receipts do not state the ownership; they cannot be family-shared.
    switch try document.text("inAppOwnershipType") {
    case nil, "PURCHASED": break
    case "FAMILY_SHARED": throw ReceiptRefusal(.familyShared)
    default: throw ReceiptRefusal(.malformed)
    }
    guard let token = try document.text("appAccountToken") else { throw ReceiptRefusal(.missingAccount) }
    guard AppAccountToken(for: account).matches(token) else { throw ReceiptRefusal(.wrongAccount) }
  }

  /// A revoked purchase is returned to the caller even after its end, so that the grant can be revoked here as well.
  private func checkExpiry(
    _ expiresAt: Timestamp?, _ kind: Kind, isRevoked: Bool, at now: Timestamp
  ) throws(ReceiptRefusal) {
    guard let expiresAt else {
      if kind == .subscription { throw ReceiptRefusal(.malformed) }
      return
    }
    guard isRevoked || expiresAt > now else { throw ReceiptRefusal(.expired) }
  }
}

import AtelierProtocol
import Crypto

/// Verifies transactions that Apple has signed (`JWSTransaction` of the App Store), without any network.
///
/// Certificates that Apple has revoked are not found out, as that needs its servers.
public struct AppleReceiptVerifier: Sendable {
  public let configuration: AppleReceiptConfiguration

  public init(_ configuration: AppleReceiptConfiguration) { self.configuration = configuration }

  /// Judges `transaction`: first who signed it, then what it says, which is read from exactly the bytes signed.
  /// - Parameters:
  ///   - transaction: a JWS in compact serialization, of at most ``ReceiptVerifier/maximumBytes``.
  ///   - account: whose `appAccountToken` it must name.
  ///   - now: when a subscription must still run.
  /// - Returns: the purchase; one that Apple has taken back has ``VerifiedPurchase/revokedAt`` set.
  /// - Throws: ``ReceiptRefusal``.
  public func verify(
    _ transaction: String, for account: AccountID, at now: Timestamp
  ) async throws(ReceiptRefusal) -> VerifiedPurchase {
    let jws = try CompactJWS(transaction)
    let chain = try AppleCertificateChain(jws.certificates, trusting: configuration.roots)
    let payload = try AppleTransaction(jws.payload)
    let key = try await chain.signerKey(at: payload.signedAt)
    // ES256 has the two numbers side by side, 32 bytes each, and not in DER (RFC 7518 section 3.4).
    guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.signature),
      key.isValidSignature(signature, for: jws.signedBytes)
    else { throw ReceiptRefusal(.badSignature) }
    return try payload.purchase(configuration, for: account, at: now)
  }
}

/// What a receipt of Apple's must be to be accepted here.
public struct AppleReceiptConfiguration: Sendable, Equatable {
  /// The app's bundle identifier, compared exactly.
  public var bundleID: String
  /// The identifiers of the products that are for sale, compared exactly.
  public var productIDs: Set<String>
  /// The roots that are trusted.
  public var roots: [AppleRootCertificate]
  /// Whether purchases of Apple's sandbox count, as they should while an app is tested. Those of Xcode, which Apple
  /// does not sign, never do.
  public var allowsSandbox: Bool

  /// - Parameters:
  ///   - roots: Apple's own unless told otherwise.
  ///   - allowsSandbox: no, unless told otherwise.
  public init(
    bundleID: String, productIDs: Set<String>, roots: [AppleRootCertificate] = [.appleG3], allowsSandbox: Bool = false
  ) {
    self.bundleID = bundleID
    self.productIDs = productIDs
    self.roots = roots
    self.allowsSandbox = allowsSandbox
  }
}

/// What one of Apple's transactions says (`JWSTransactionDecodedPayload`), and whether that is acceptable.
struct AppleTransaction {
  /// The kinds of products, as Apple names them.
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

  /// - Throws: ``ReceiptRefusal``, for the first thing that is wrong.
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

  /// `Xcode` and `LocalTesting` are signed by the developer's own machine, and Apple's library does not even look at
  /// the signature there; nothing that names them can be believed.
  private func isSandbox(allowed: Bool) throws(ReceiptRefusal) -> Bool {
    switch try document.text("environment") {
    case "Production": return false
    case "Sandbox" where allowed: return true
    default: throw ReceiptRefusal(.wrongEnvironment)
    }
  }

  private func checkOwner(_ account: AccountID) throws(ReceiptRefusal) {
    // Apple says nothing of the owner in old receipts, which no family shares.
    switch try document.text("inAppOwnershipType") {
    case nil, "PURCHASED": break
    case "FAMILY_SHARED": throw ReceiptRefusal(.familyShared)
    default: throw ReceiptRefusal(.malformed)
    }
    guard let token = try document.text("appAccountToken") else { throw ReceiptRefusal(.missingAccount) }
    guard AppAccountToken(for: account).matches(token) else { throw ReceiptRefusal(.wrongAccount) }
  }

  /// What was taken back is told to the caller even after its end, so that it can be taken back here as well.
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

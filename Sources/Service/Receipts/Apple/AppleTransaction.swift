import AtelierProtocol
import FoundationEssentials
import JWTKit

/// The content of one of Apple's transactions (`JWSTransactionDecodedPayload`), and its validation.
struct AppleTransaction: Sendable {
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
    try self.init(SignedDocument(payload))
  }

  private init(_ document: SignedDocument) throws(ReceiptRefusal) {
    self.document = document
    signedAt = try document.time("signedDate").required()
  }

  /// - Throws: ``ReceiptRefusal``, for the first problem.
  func purchase(
    in app: ApplePurchaseVerifier, for account: AccountID, at now: Timestamp
  ) throws(ReceiptRefusal) -> VerifiedPurchase {
    guard try document.text("bundleId") == app.bundleID else { throw ReceiptRefusal(.wrongBundle) }
    let isSandbox = try isSandbox(allowed: app.allowsSandbox)
    guard let product = try document.text("productId"), app.productIDs.contains(product) else {
      throw ReceiptRefusal(.wrongProduct)
    }
    try checkOwner(account)
    let kind = try Kind(rawValue: document.text("type").required()).required()
    let expiresAt = try document.time("expiresDate")
    let revokedAt = try document.time("revocationDate")
    try checkExpiry(expiresAt, kind, isRevoked: revokedAt != nil, at: now)
    return VerifiedPurchase(
      platform: ApplePurchaseVerifier.platform, isSandbox: isSandbox,
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

/// What jwt-kit wants of it.
extension AppleTransaction: ValidationTimePayload {
  /// When the certificates must have been valid. They have no fractions of a second.
  var signedDate: Date { Date(timeIntervalSince1970: Double(signedAt.milliseconds / 1000)) }

  init(from decoder: any Decoder) throws { try self.init(SignedDocument(from: decoder)) }

  func encode(to encoder: any Encoder) throws { try document.encode(to: encoder) }

  /// Accepts everything: ``purchase(in:for:at:)`` judges the content.
  func verify(using algorithm: some JWTAlgorithm) async throws {}
}

import AtelierProtocol
import Crypto
import CryptoExtras
import Encodings

/// Verifies purchases signed by Google Play, without any network.
///
/// Data that Play signs on a device never states when a subscription ends or that it has renewed: only a query to
/// Google's servers does.
public struct GoogleReceiptVerifier: Sendable {
  public let configuration: GoogleReceiptConfiguration

  public init(_ configuration: GoogleReceiptConfiguration) { self.configuration = configuration }

  /// Verifies `purchase`: first that Google signed it, then its content.
  /// - Parameters:
  ///   - purchase: the purchase as JSON, character for character as Play Billing gave it.
  ///   - signature: Play Billing's signature of it, in base64; together they have at most
  ///     ``ReceiptVerifier/maximumBytes``.
  ///   - account: the account that it must name: by its id, or by its ``AppAccountToken``.
  ///   - now: the revocation time recorded for a cancelled purchase.
  /// - Returns: the purchase; for a cancelled one, ``VerifiedPurchase/revokedAt`` is set.
  /// - Throws: ``ReceiptRefusal``.
  public func verify(
    _ purchase: String, signature: String, for account: AccountID, at now: Timestamp
  ) throws(ReceiptRefusal) -> VerifiedPurchase {
    guard purchase.utf8.count + signature.utf8.count <= ReceiptVerifier.maximumBytes else {
      throw ReceiptRefusal(.tooLarge)
    }
    let bytes = Array(purchase.utf8)
    guard let signature = Base64.decoded(signature) else { throw ReceiptRefusal(.malformed) }
    guard configuration.publicKey.signed(bytes, signature) else { throw ReceiptRefusal(.badSignature) }
    return try GooglePurchase(bytes).purchase(configuration, for: account, at: now)
  }
}

/// The requirements for Google's receipts.
public struct GoogleReceiptConfiguration: Sendable {
  /// The app's package name, compared exactly.
  public var packageName: String
  /// The identifiers of the products for sale, compared exactly.
  public var productIDs: Set<String>
  /// The key with which Play signs this app's purchases.
  public var publicKey: GooglePublicKey

  public init(packageName: String, productIDs: Set<String>, publicKey: GooglePublicKey) {
    self.packageName = packageName
    self.productIDs = productIDs
    self.publicKey = publicKey
  }
}

/// The key with which Google Play signs an app's purchases: the "licensing key" of the Play Console.
public struct GooglePublicKey: Sendable {
  /// The minimum length of a key in bits.
  public static let minimumBits = 2048

  private let key: _RSA.Signing.PublicKey

  /// Parses the key as the console shows it: base64 of a SubjectPublicKeyInfo; blanks and line breaks are ignored.
  /// - Throws: ``ReceiptConfigurationFailure``.
  public init(base64 text: String) throws(ReceiptConfigurationFailure) {
    // The library reads other formats of a key as well, but writes only this one.
    guard let der = Base64.decoded(text.filter { !$0.isWhitespace }),
      let key = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: der), key.derRepresentation.elementsEqual(der)
    else { throw .unreadableKey }
    guard key.keySizeInBits >= Self.minimumBits else { throw .weakKey(bits: key.keySizeInBits) }
    self.key = key
  }

  /// Whether `signature` is this key's RSA PKCS #1 v1.5 signature with SHA-1 of `bytes`.
  ///
  /// Play uses no other algorithm. The known attacks on SHA-1 find two texts with the same hash, which is useless to an
  /// attacker who cannot choose what Google signs.
  func signed(_ bytes: [UInt8], _ signature: [UInt8]) -> Bool {
    key.isValidSignature(
      _RSA.Signing.RSASignature(rawRepresentation: signature), for: Insecure.SHA1.hash(data: bytes),
      padding: .insecurePKCS1v1_5)
  }
}

/// The content of one of Google's purchases (`INAPP_PURCHASE_DATA` of Play Billing), and its validation.
struct GooglePurchase {
  private let document: SignedDocument

  /// - Throws: `malformed`.
  init(_ bytes: [UInt8]) throws(ReceiptRefusal) {
    document = try SignedDocument(bytes)
  }

  /// - Throws: ``ReceiptRefusal``, for the first problem.
  func purchase(
    _ configuration: GoogleReceiptConfiguration, for account: AccountID, at now: Timestamp
  ) throws(ReceiptRefusal) -> VerifiedPurchase {
    guard try document.text("packageName") == configuration.packageName else { throw ReceiptRefusal(.wrongBundle) }
    guard let product = try productID(), configuration.productIDs.contains(product) else {
      throw ReceiptRefusal(.wrongProduct)
    }
    try checkOwner(account)
    let isCancelled = try isCancelled()
    let isSubscription = document.has("autoRenewing")
    return VerifiedPurchase(
      platform: .google,
      transactionID: try document.identifier("orderId").required(),
      productID: product, isSubscription: isSubscription,
      quantity: try document.quantity(isSubscription: isSubscription),
      purchasedAt: try document.time("purchaseTime").required(),
      revokedAt: isCancelled ? now : nil,
      purchaseToken: try document.identifier("purchaseToken", maximumLength: 4096).required())
  }

  /// The product; nil when there is none, or for several products in one purchase, which are not sold here.
  private func productID() throws(ReceiptRefusal) -> String? {
    let single = try document.text("productId")
    guard let listed = document.value("productIds") else { return single }
    guard let listed = listed.array, listed.count == 1, let product = listed.first?.string,
      single == nil || single == product
    else { return nil }
    return product
  }

  /// Every account identifier in the purchase must match this account.
  private func checkOwner(_ account: AccountID) throws(ReceiptRefusal) {
    let token = AppAccountToken(for: account)
    var isNamed = false
    for member in ["obfuscatedAccountId", "obfuscatedExternalAccountId"] {
      guard let name = try document.text(member), !name.isEmpty else { continue }
      guard Array(name.utf8) == Array(account.rawValue.utf8) || token.matches(name) else {
        throw ReceiptRefusal(.wrongAccount)
      }
      isNamed = true
    }
    guard isNamed else { throw ReceiptRefusal(.missingAccount) }
  }

  private func isCancelled() throws(ReceiptRefusal) -> Bool {
    switch try document.integer("purchaseState").required() {
    case 0: return false
    case 1: return true
    // Play has used both numbers for pending payments.
    case 2, 4: throw ReceiptRefusal(.pending)
    default: throw ReceiptRefusal(.malformed)
    }
  }
}

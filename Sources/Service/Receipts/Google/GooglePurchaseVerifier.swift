import AtelierProtocol
import Encodings

/// Verifies purchases signed by Google Play, without any network.
///
/// Data that Play signs on a device never states when a subscription ends or that it has renewed: only a query to
/// Google's servers does.
public struct GooglePurchaseVerifier: PurchaseVerifier {
  public static let platform = PurchasePlatform.google

  /// An app in Google Play.
  public struct Configuration: Codable, Sendable, Equatable {
    public var packageName: String
    /// The licensing key of the Play Console.
    public var publicKey: String
  }

  /// The app's package name, compared exactly.
  public let packageName: String
  /// The identifiers of the products for sale, compared exactly.
  public let productIDs: Set<String>
  /// The key with which Play signs this app's purchases.
  public let publicKey: GooglePublicKey

  public init(packageName: String, productIDs: Set<String>, publicKey: GooglePublicKey) {
    self.packageName = packageName
    self.productIDs = productIDs
    self.publicKey = publicKey
  }

  public init(
    _ configuration: Configuration, selling productIDs: Set<String>, readingWith readFile: ConfiguredFileReader
  ) async throws {
    guard !configuration.packageName.isEmpty else {
      throw PurchaseConfigurationFault("packageName", "must not be empty.")
    }
    do throws(ReceiptConfigurationFailure) {
      self.init(
        packageName: configuration.packageName, productIDs: productIDs,
        publicKey: try GooglePublicKey(base64: configuration.publicKey))
    } catch {
      throw PurchaseConfigurationFault("publicKey", error)
    }
  }

  /// First it is verified that Google signed the text of the purchase, character for character, then its content.
  ///
  /// The text and the signature together have at most ``PurchaseProof/maximumBytes``. The account may be named by its id or
  /// by its ``AppAccountToken``. A purchase does not state when it was cancelled: `now` is recorded for that.
  public func verify(
    _ proof: PurchaseProof, for account: AccountID, at now: Timestamp
  ) async throws(ReceiptRefusal) -> VerifiedPurchase {
    let text = try proof[.purchaseData].required().revealed
    let signature = try proof[.signature].required().revealed
    guard text.utf8.count + signature.utf8.count <= PurchaseProof.maximumBytes else { throw ReceiptRefusal(.tooLarge) }
    let bytes = Array(text.utf8)
    guard let signature = Base64.decoded(signature) else { throw ReceiptRefusal(.malformed) }
    guard publicKey.signed(bytes, signature) else { throw ReceiptRefusal(.badSignature) }
    return try GooglePurchase(bytes).purchase(in: self, for: account, at: now)
  }
}

import AtelierProtocol
import Crypto
import CryptoExtras
import Encodings
import JSON
import Receipts
import SimulatedShops

/// Signs purchases as Google Play does, with a key of its own. A test changes whatever it wants to be wrong.
struct GooglePlay: Sendable {
  static let account: AccountID = "customer-7"
  static let packageName = "org.example.atelier"
  static let purchasedAt = Timestamp(milliseconds: AppleStore.now.milliseconds - AppleStore.day)

  /// The same key for every test, as one takes a while to make.
  static let shared = Result { try GooglePlay() }

  let key: _RSA.Signing.PrivateKey
  /// A key that nobody here trusts.
  let otherKey: _RSA.Signing.PrivateKey
  var purchase: JSONObject = [
    "orderId": "GPA.3312-7745-0912-11873", "packageName": .string(packageName), "productId": "bundle8",
    "purchaseTime": .time(purchasedAt), "purchaseState": 0,
    "purchaseToken": "opaque-token-up-to-1500-characters.AO-J1O", "quantity": 1,
    "acknowledged": false, "obfuscatedAccountId": .string(account.rawValue),
  ]

  private init() throws {
    key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    otherKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
  }

  /// The key to verify with, as the Play Console shows it.
  var publicKey: String { GoogleSigner(key: key).publicKey }

  /// The purchase as Play writes it.
  var text: String { String(decoding: JSONValue.object(purchase).serialized(), as: UTF8.self) }

  /// ``purchase``, signed.
  func receipt() throws -> PurchaseProof { try receipt(text) }

  /// Any text, signed.
  func receipt(_ text: String) throws -> PurchaseProof {
    .google(text, signature: try signature(of: text, by: key))
  }

  /// The signature as Play makes it: PKCS #1 v1.5 with SHA-1.
  func signature(of text: String, by key: _RSA.Signing.PrivateKey) throws -> String {
    try GoogleSigner(key: key).signature(of: text)
  }

  func verifier() throws -> GooglePurchaseVerifier {
    GooglePurchaseVerifier(
      packageName: Self.packageName, productIDs: AppleStore.productIDs,
      publicKey: try GooglePublicKey(base64: publicKey))
  }
}

extension PurchaseProof {
  static func google(_ purchase: String, signature: String) -> PurchaseProof {
    PurchaseProof(.google, [.purchaseData: SecretText(purchase), .signature: SecretText(signature)])
  }
}

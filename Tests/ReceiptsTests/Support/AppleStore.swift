import AtelierProtocol
import Crypto
import Encodings
import FoundationEssentials
import JSON
import Receipts
import SimulatedShops
import X509

/// Signs transactions as the App Store does, under a root of its own. A test changes whatever it wants to be wrong.
struct AppleStore: Sendable {
  /// The account that buys.
  static let account: AccountID = "customer-7"
  static let bundleID = "org.example.atelier"
  static let productIDs: Set = ["bundle8", "bundle48", "premium"]
  /// 2026-03-01T12:00:00Z, when receipts are judged.
  static let now = Timestamp(milliseconds: 1_772_366_400_000)
  static let day: Int64 = 86_400_000
  /// When transactions are signed, unless they say otherwise.
  static let signedAt = Timestamp(milliseconds: now.milliseconds - 2 * day)

  /// The same keys and the same root for every test.
  static let shared = Result { try AppleStore() }

  /// The root that is configured.
  let trustedRoot: Certificate
  var root: CertificateRecipe
  var intermediate: CertificateRecipe
  var leaf: CertificateRecipe
  var signingKey: P256.Signing.PrivateKey
  var header: JSONObject = ["alg": "ES256"]
  var payload: JSONObject

  private init() throws {
    let chain = AppleChain(at: Self.signedAt.date(), daysOfSigner: -100...1)
    (root, intermediate, leaf, signingKey) = (chain.root, chain.intermediate, chain.signer, chain.key)
    trustedRoot = try root.made()
    payload = Self.consumable
  }

  /// A purchase of 48 credits. No two of its ids and times are equal, so that one that is taken for another is noticed.
  static let consumable: JSONObject = [
    "transactionId": "2000000123456789", "originalTransactionId": "2000000100000001",
    "webOrderLineItemId": "2000000045678912", "appTransactionId": "704289572311513293",
    "bundleId": .string(bundleID), "productId": "bundle48", "purchaseDate": .time(signedAt, hours: -1),
    "originalPurchaseDate": .time(signedAt, hours: -30), "quantity": 1, "type": "Consumable",
    "appAccountToken": .string(AppAccountToken(for: account).text), "inAppOwnershipType": "PURCHASED",
    "signedDate": .time(signedAt), "environment": "Production", "transactionReason": "PURCHASE", "storefront": "USA",
    "storefrontId": "143441", "price": 4990, "currency": "USD",
  ]

  /// Makes ``payload`` the second month of a subscription, which ends in 26 days.
  mutating func sellSubscription() {
    payload["transactionId"] = "2000000123456999"
    payload["productId"] = "premium"
    payload["type"] = "Auto-Renewable Subscription"
    payload["originalPurchaseDate"] = .time(Self.signedAt, hours: -31 * 24)
    payload["expiresDate"] = .time(Self.now, hours: 26 * 24)
    payload["subscriptionGroupIdentifier"] = "21000000"
  }

  /// The certificates as the recipes have them, the signer's first, under the configured root.
  func chain() throws -> [Certificate] { [try leaf.made(), try intermediate.made(), trustedRoot] }

  /// ``payload``, signed.
  func transaction() throws -> String { try transaction(certificates: chain()) }

  func transaction(certificates: [Certificate]) throws -> String {
    try transaction(x5c: .array(certificates.map { .string(Base64.encoded(try $0.der)) }))
  }

  func transaction(x5c: JSONValue?) throws -> String {
    var header = header
    header["x5c"] = x5c
    return try transaction(JSONValue.object(header).serialized(), JSONValue.object(payload).serialized())
  }

  /// Any header and payload, signed.
  func transaction(_ header: [UInt8], _ payload: [UInt8]) throws -> String {
    try AppleSigner.jws(header: header, payload: payload, key: signingKey)
  }

  func verifier(allowsSandbox: Bool = false) throws -> ApplePurchaseVerifier {
    ApplePurchaseVerifier(
      bundleID: Self.bundleID, productIDs: Self.productIDs, roots: [try AppleRootCertificate(file: trustedRoot.der)],
      allowsSandbox: allowsSandbox)
  }
}

extension PurchaseProof {
  static func apple(_ transaction: String) -> PurchaseProof {
    PurchaseProof(.apple, [.signedTransaction: SecretText(transaction)])
  }
}

extension Timestamp {
  func date(days: Double = 0) -> Date { Date(timeIntervalSince1970: Double(milliseconds / 1000) + days * 86_400) }
}

extension JSONValue {
  static func time(_ time: Timestamp, hours: Int64 = 0) -> JSONValue {
    .number(JSONNumber(time.milliseconds + hours * 3_600_000))
  }
}

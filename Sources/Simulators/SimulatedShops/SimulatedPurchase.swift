import AtelierProtocol
import JSON
import Receipts

/// A purchase that a store would sign, with the members that a receipt must have.
public struct SimulatedPurchase: Sendable {
  /// What became of it.
  public enum State: String, Sendable, CaseIterable {
    case purchased, pending, refunded
  }

  /// The app: Apple's bundle id, or Google's package name.
  public var app: String
  /// The id of the product in the store.
  public var product: String
  /// The account that buys.
  public var account: AccountID
  /// The store's id of the purchase.
  public var identifier: String
  public var purchasedAt: Timestamp
  public var quantity = 1
  /// Until when a subscription is paid; nil for a bundle.
  public var subscribedUntil: Timestamp?
  public var state = State.purchased
  /// Whether it was made in Apple's sandbox.
  public var isSandbox = false

  public init(
    app: String, product: String, account: AccountID, identifier: String, purchasedAt: Timestamp
  ) {
    self.app = app
    self.product = product
    self.account = account
    self.identifier = identifier
    self.purchasedAt = purchasedAt
  }

  /// The params of `credits/purchase` with Apple's transaction, which is signed now.
  public func params(signedBy signer: AppleSigner, at now: Timestamp) throws -> JSONObject {
    var payload: JSONObject = [
      "transactionId": .string(identifier), "originalTransactionId": .string(identifier), "bundleId": .string(app),
      "productId": .string(product), "purchaseDate": Self.time(purchasedAt), "originalPurchaseDate": Self.time(purchasedAt),
      "quantity": .number(JSONNumber(quantity)),
      "type": subscribedUntil == nil ? "Consumable" : "Auto-Renewable Subscription",
      "appAccountToken": .string(AppAccountToken(for: account).text), "inAppOwnershipType": "PURCHASED",
      "signedDate": Self.time(now), "environment": isSandbox ? "Sandbox" : "Production",
    ]
    if let subscribedUntil { payload["expiresDate"] = Self.time(subscribedUntil) }
    if state == .refunded { payload["revocationDate"] = Self.time(now) }
    return [
      "account": .string(account.rawValue), "platform": "apple",
      "signedTransaction": .string(try signer.transaction(payload)),
    ]
  }

  /// The params of `credits/purchase` with Google's purchase data and signature.
  public func params(signedBy signer: GoogleSigner) throws -> JSONObject {
    let number: JSONValue =
      switch state {
      case .purchased: 0
      case .refunded: 1
      case .pending: 4
      }
    var purchase: JSONObject = [
      "orderId": .string(identifier), "packageName": .string(app), "productId": .string(product),
      "purchaseTime": Self.time(purchasedAt), "purchaseState": number, "purchaseToken": .string("token-of-\(identifier)"),
      "quantity": .number(JSONNumber(quantity)), "acknowledged": false,
      "obfuscatedAccountId": .string(AppAccountToken(for: account).text),
    ]
    if subscribedUntil != nil { purchase["autoRenewing"] = true }
    let text = JSONValue.object(purchase).serializedText
    return [
      "account": .string(account.rawValue), "platform": "google", "purchaseData": .string(text),
      "signature": .string(try signer.signature(of: text)),
    ]
  }

  private static func time(_ time: Timestamp) -> JSONValue { .number(JSONNumber(time.milliseconds)) }
}

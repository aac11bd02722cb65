import AtelierProtocol

/// The content of one of Google's purchases (`INAPP_PURCHASE_DATA` of Play Billing), and its validation.
struct GooglePurchase {
  private let document: SignedDocument

  /// - Throws: `malformed`.
  init(_ bytes: [UInt8]) throws(ReceiptRefusal) {
    document = try SignedDocument(bytes)
  }

  /// - Throws: ``ReceiptRefusal``, for the first problem.
  func purchase(
    in app: GooglePurchaseVerifier, for account: AccountID, at now: Timestamp
  ) throws(ReceiptRefusal) -> VerifiedPurchase {
    guard try document.text("packageName") == app.packageName else { throw ReceiptRefusal(.wrongBundle) }
    guard let product = try productID(), app.productIDs.contains(product) else {
      throw ReceiptRefusal(.wrongProduct)
    }
    try checkOwner(account)
    let isCancelled = try isCancelled()
    let isSubscription = document.has("autoRenewing")
    return VerifiedPurchase(
      platform: GooglePurchaseVerifier.platform,
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

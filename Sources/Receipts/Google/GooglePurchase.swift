import AtelierProtocol

/// What one of Google's purchases says (`INAPP_PURCHASE_DATA` of Play Billing), and whether that is acceptable.
struct GooglePurchase {
  private let document: SignedDocument

  /// - Throws: `malformed`.
  init(_ bytes: [UInt8]) throws(ReceiptRefusal) {
    document = try SignedDocument(bytes)
  }

  /// - Throws: ``ReceiptRefusal``, for the first thing that is wrong.
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

  /// The product; nil when there is none, or several bought as one, which nothing here sells.
  private func productID() throws(ReceiptRefusal) -> String? {
    let single = try document.text("productId")
    guard let listed = document.value("productIds") else { return single }
    guard let listed = listed.array, listed.count == 1, let product = listed.first?.string,
      single == nil || single == product
    else { return nil }
    return product
  }

  /// Every name Google has for the account must be this one.
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
    // Play has used both numbers for a payment that is still to come.
    case 2, 4: throw ReceiptRefusal(.pending)
    default: throw ReceiptRefusal(.malformed)
    }
  }
}

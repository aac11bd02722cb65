import AtelierProtocol
import JSON
import Receipts

extension GoogleVector {
  /// A receipt that is signed properly, and says this.
  private static func saying(
    _ name: String, _ refusal: ReceiptRefusal.Reason?, _ member: String, _ value: JSONValue?,
    account: AccountID = GooglePlay.account
  ) -> GoogleVector {
    GoogleVector(name, refusal, account: account) { play in
      play.purchase[member] = value
      return try play.receipt()
    }
  }

  /// Everything here is signed by the store itself: what matters is what it says.
  static let content = accounts + products + states

  private static let token = AppAccountToken(for: GooglePlay.account).text
  /// Longer than the 64 characters Play takes.
  private static let longAccount = AccountID(rawValue: String(repeating: "customer-", count: 12))

  private static let accounts = [
    GoogleVector("a good purchase", nil) { try $0.receipt() },
    saying("the account's token", nil, "obfuscatedAccountId", .string(token)),
    saying("the account's token in upper case", nil, "obfuscatedAccountId", .string(token.uppercased())),
    saying(
      "the token of an account too long for Play", nil, "obfuscatedAccountId",
      .string(AppAccountToken(for: longAccount).text), account: longAccount),
    GoogleVector("the account by its other name", nil) { play in
      play.purchase["obfuscatedAccountId"] = nil
      play.purchase["obfuscatedExternalAccountId"] = .string(GooglePlay.account.rawValue)
      return try play.receipt()
    },
    saying("two names of different accounts", .wrongAccount, "obfuscatedExternalAccountId", "customer-8"),
    saying("another account", .wrongAccount, "obfuscatedAccountId", "customer-8"),
    saying("the account in other capitals", .wrongAccount, "obfuscatedAccountId", "Customer-7"),
    saying("the account with a blank", .wrongAccount, "obfuscatedAccountId", "customer-7 "),
    saying("a number for the account", .malformed, "obfuscatedAccountId", 7),
    saying("an empty account", .missingAccount, "obfuscatedAccountId", ""),
    saying("no account", .missingAccount, "obfuscatedAccountId", nil),
  ]

  private static let products = [
    saying("another app", .wrongBundle, "packageName", "org.example.other"),
    saying("no app", .wrongBundle, "packageName", nil),
    saying("an unknown product", .wrongProduct, "productId", "bundle800"),
    saying("no product", .wrongProduct, "productId", nil),
    saying("the product in a list as well", nil, "productIds", ["bundle8"]),
    saying("another product in a list as well", .wrongProduct, "productIds", ["bundle48"]),
    saying("two products at once", .wrongProduct, "productIds", ["bundle8", "bundle48"]),
    saying("no order", .malformed, "orderId", nil),
    saying("an empty order", .malformed, "orderId", ""),
    saying("no purchase token", .malformed, "purchaseToken", nil),
    saying("no time of purchase", .malformed, "purchaseTime", nil),
    saying("a time of purchase in quotes", .malformed, "purchaseTime", "1772366400000"),
    saying("a time of purchase before all time", .malformed, "purchaseTime", -1),
  ]

  private static let states = [
    saying("cancelled", nil, "purchaseState", 1),
    saying("pending, by Play's old number", .pending, "purchaseState", 2),
    saying("pending", .pending, "purchaseState", 4),
    saying("an unknown state", .malformed, "purchaseState", 3),
    saying("no state", .malformed, "purchaseState", nil),
    saying("a state in quotes", .malformed, "purchaseState", "0"),
    saying("a quantity of five", nil, "quantity", 5),
    saying("no word of quantity", nil, "quantity", nil),
    saying("a quantity of zero", .wrongQuantity, "quantity", 0),
    saying("a negative quantity", .wrongQuantity, "quantity", -3),
    saying("a quantity beyond all measure", .wrongQuantity, "quantity", 1_000_000),
    saying("half a bundle", .malformed, "quantity", 0.5),
    GoogleVector("two of a subscription", .wrongQuantity) { play in
      play.purchase["productId"] = "premium"
      play.purchase["autoRenewing"] = true
      play.purchase["quantity"] = 2
      return try play.receipt()
    },
  ]
}

import AtelierProtocol
import JSON
import Receipts

extension AppleVector {
  private static let noAccounts = Library.laxer("it does not look at the account")
  private static let noContent = Library.laxer("it leaves this to the app")

  /// A receipt that is signed properly, and says this.
  private static func saying(
    _ name: String, _ refusal: ReceiptRefusal.Reason?, _ library: Library, _ member: String, _ value: JSONValue?,
    account: AccountID = AppleStore.account
  ) -> AppleVector {
    AppleVector(name, refusal, library, account: account) { store in
      store.payload[member] = value
      return try store.transaction()
    }
  }

  /// The same about a subscription.
  private static func subscription(
    _ name: String, _ refusal: ReceiptRefusal.Reason?, _ library: Library, _ member: String, _ value: JSONValue?
  ) -> AppleVector {
    AppleVector(name, refusal, library) { store in
      store.sellSubscription()
      store.payload[member] = value
      return try store.transaction()
    }
  }

  /// Everything here is signed by the store itself: what matters is what it says.
  static let content = accounts + products + environments + amounts

  private static let uuid = "6f1d1c4e-7a52-4d7b-9c1e-0d6a5b1f2e3c"

  private static let accounts = [
    AppleVector("a good purchase", nil, .accepts) { try $0.transaction() },
    saying(
      "the token in upper case", nil, .accepts, "appAccountToken",
      .string(AppAccountToken(for: AppleStore.account).text.uppercased())),
    saying(
      "an account that is a UUID itself", nil, .accepts, "appAccountToken", .string(uuid),
      account: AccountID(rawValue: uuid.uppercased())),
    saying(
      "a derived token where the account is a UUID", .wrongAccount, noAccounts, "appAccountToken",
      .string(AppAccountToken(for: AppleStore.account).text), account: AccountID(rawValue: uuid)),
    saying(
      "another account's token", .wrongAccount, noAccounts, "appAccountToken",
      .string(AppAccountToken(for: "customer-8").text)),
    saying("the account's id instead of its token", .wrongAccount, noAccounts, "appAccountToken", "customer-7"),
    saying("an empty token", .wrongAccount, noAccounts, "appAccountToken", ""),
    saying("no token", .missingAccount, noAccounts, "appAccountToken", nil),
    saying("null for a token", .missingAccount, noAccounts, "appAccountToken", .null),
    saying("a number for a token", .malformed, noAccounts, "appAccountToken", 7),
    saying("family-shared", .familyShared, noContent, "inAppOwnershipType", "FAMILY_SHARED"),
    saying("an ownership unheard of", .malformed, noContent, "inAppOwnershipType", "BORROWED"),
    saying("no word of ownership", nil, .accepts, "inAppOwnershipType", nil),
  ]

  private static let products = [
    saying("another app", .wrongBundle, .refuses, "bundleId", "org.example.other"),
    saying("the app in other capitals", .wrongBundle, .refuses, "bundleId", "org.example.Atelier"),
    saying("no app", .wrongBundle, .refuses, "bundleId", nil),
    saying("an unknown product", .wrongProduct, noContent, "productId", "bundle480"),
    saying("no product", .wrongProduct, noContent, "productId", nil),
    saying("an unknown kind of product", .malformed, noContent, "type", "Lottery"),
    saying("no transaction", .malformed, noContent, "transactionId", nil),
    saying("an empty transaction", .malformed, noContent, "transactionId", ""),
    saying("a transaction with a line break", .malformed, noContent, "transactionId", "1\n2"),
    saying("no purchase date", .malformed, noContent, "purchaseDate", nil),
  ]

  private static let environments = [
    saying("the sandbox", .wrongEnvironment, .refuses, "environment", "Sandbox"),
    AppleVector("the sandbox where it is allowed", nil, .accepts, libraryEnvironment: "Sandbox", allowsSandbox: true) {
      store in
      store.payload["environment"] = "Sandbox"
      return try store.transaction()
    },
    AppleVector(
      "production where the sandbox is allowed", nil, .accepts, allowsSandbox: true) { try $0.transaction() },
    saying("Xcode's environment, signed by the store", .wrongEnvironment, .refuses, "environment", "Xcode"),
    saying("LocalTesting, signed by the store", .wrongEnvironment, .refuses, "environment", "LocalTesting"),
    AppleVector(
      "Xcode's environment where the sandbox is allowed", .wrongEnvironment, .laxer("it skips verification in Xcode"),
      libraryEnvironment: "Xcode", allowsSandbox: true
    ) { store in
      store.payload["environment"] = "Xcode"
      return try store.transaction()
    },
    saying("production in lower case", .wrongEnvironment, .refuses, "environment", "production"),
    saying("no environment", .wrongEnvironment, .refuses, "environment", nil),
  ]

  private static let amounts = [
    saying("a quantity of three", nil, .accepts, "quantity", 3),
    saying("no word of quantity", nil, .accepts, "quantity", nil),
    saying("a quantity of zero", .wrongQuantity, noContent, "quantity", 0),
    saying("a negative quantity", .wrongQuantity, noContent, "quantity", -1),
    saying("a quantity beyond all measure", .wrongQuantity, noContent, "quantity", 1001),
    saying("a quantity beyond all integers", .malformed, noContent, "quantity", 1e30),
    saying("half a bundle", .malformed, noContent, "quantity", 1.5),
    saying("a quantity in quotes", .malformed, noContent, "quantity", "1"),
    saying("revoked", nil, .accepts, "revocationDate", .time(AppleStore.signedAt)),
    subscription("a running subscription", nil, .accepts, "quantity", 1),
    subscription("an expired subscription", .expired, noContent, "expiresDate", .time(AppleStore.now, hours: -1)),
    subscription("one that expires this moment", .expired, noContent, "expiresDate", .time(AppleStore.now)),
    subscription("a subscription without an end", .malformed, noContent, "expiresDate", nil),
    subscription("two of a subscription", .wrongQuantity, noContent, "quantity", 2),
    AppleVector("an expired subscription that was revoked", nil, .accepts) { store in
      store.sellSubscription()
      store.payload["expiresDate"] = .time(AppleStore.now, hours: -24)
      store.payload["revocationDate"] = .time(AppleStore.now, hours: -48)
      return try store.transaction()
    },
  ]
}

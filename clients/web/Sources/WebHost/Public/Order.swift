import AtelierClient
import Crypto
import Encodings
import JSON

/// What somebody is about to pay, as the reference of a checkout carries it: so it stays what it was, whatever becomes of
/// the list of products.
struct Order: Sendable, Equatable {
  var account: AccountID
  /// When the account began: another one may have its name once it is deleted. Nil in references of hosts that did not write
  /// it.
  var since: Timestamp?
  var product: String
  /// What the account's history calls it.
  var title: String
  var credits: Int

  init(account: AccountID, since: Timestamp?, product: String, title: String, credits: Int) {
    (self.account, self.since, self.product) = (account, since, product)
    (self.title, self.credits) = (title, credits)
  }

  /// - Parameter keys: the first one signs.
  func reference(signedWith keys: [[UInt8]]) -> String {
    var value: JSONObject = [
      "account": .string(account.rawValue), "product": .string(product), "title": .string(title),
      "credits": .number(JSONNumber(credits)),
    ]
    if let since { value["since"] = .string(since.text) }
    let text = Base64URL.encoded(JSONValue.object(value).serialized())
    let code = HMAC<SHA256>.authenticationCode(
      for: OrderReference.signed(text), using: SymmetricKey(data: keys.first ?? []))
    return "\(text).\(Base64URL.encoded(Array(code)))"
  }

  fileprivate init?(_ value: JSONValue) {
    guard let account = value["account"]?.string, !account.isEmpty, let product = value["product"]?.string,
      let title = value["title"]?.string, CreditReason.allows(title),
      let credits = value["credits"]?.number?.integer(as: Int.self), CreditAmount.range.contains(credits)
    else { return nil }
    self.init(
      account: AccountID(rawValue: account), since: value["since"]?.string.flatMap { Timestamp($0) }, product: product,
      title: title, credits: credits)
  }
}

/// The reference of a checkout, as it comes back from the processor.
struct OrderReference: Sendable {
  /// What it says. Nobody but the host can make one that is signed; until that is known, anybody may have written it.
  let unproven: Order
  private let text: String
  private let code: [UInt8]

  /// - Returns: nil for what is no reference, whoever has signed it.
  init?(_ reference: String) {
    let parts = reference.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let code = Base64URL.decoded(Array(parts[1].utf8)),
      let value = Base64URL.decoded(Array(parts[0].utf8)).flatMap({ try? JSONValue(parsing: $0) }), let order = Order(value)
    else { return nil }
    (unproven, text, self.code) = (order, parts[0], code)
  }

  /// The order, if one of `keys` has signed it.
  func order(signedWith keys: [[UInt8]]) -> Order? {
    keys.contains {
      HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Self.signed(text), using: SymmetricKey(data: $0))
    } ? unproven : nil
  }

  /// The key signs cookies as well: neither can pass for the other.
  fileprivate static func signed(_ text: String) -> [UInt8] { Array("order.\(text)".utf8) }
}

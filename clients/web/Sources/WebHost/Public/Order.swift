import Crypto
import Encodings
import JSON

/// What somebody is about to pay, as the reference of a checkout carries it: so it stays what it was, whatever becomes of
/// the list of products, and nobody but the host can make one.
struct Order: Sendable, Equatable {
  var account: String
  var product: String
  /// What the account's history calls it.
  var title: String
  var credits: Int

  init(account: String, product: String, title: String, credits: Int) {
    (self.account, self.product, self.title, self.credits) = (account, product, title, credits)
  }

  /// The order in a reference.
  /// - Returns: nil for anything that the host has not made.
  init?(reference: String, signedWith key: [UInt8]) {
    let parts = reference.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let code = Base64URL.decoded(Array(parts[1].utf8)),
      HMAC<SHA256>.isValidAuthenticationCode(
        code, authenticating: Self.signed(String(parts[0])), using: SymmetricKey(data: key)),
      let value = Base64URL.decoded(Array(parts[0].utf8)).flatMap({ try? JSONValue(parsing: $0) }),
      let account = value["account"]?.string, let product = value["product"]?.string,
      let title = value["title"]?.string, let credits = value["credits"]?.number?.integer(as: Int.self)
    else { return nil }
    self.init(account: account, product: product, title: title, credits: credits)
  }

  func reference(signedWith key: [UInt8]) -> String {
    let value: JSONValue = [
      "account": .string(account), "product": .string(product), "title": .string(title),
      "credits": .number(JSONNumber(credits)),
    ]
    let text = Base64URL.encoded(value.serialized())
    let code = HMAC<SHA256>.authenticationCode(for: Self.signed(text), using: SymmetricKey(data: key))
    return "\(text).\(Base64URL.encoded(Array(code)))"
  }

  /// The key signs cookies as well: neither can pass for the other.
  private static func signed(_ text: String) -> [UInt8] { Array("order.\(text)".utf8) }
}

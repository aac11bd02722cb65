import JSON

/// The short name of an identity provider, such as `apple`.
public enum IdentityProviderName: ValueRule {
  public typealias Value = String

  public static let maximum = 32

  public static let expected =
    "a name such as apple, of 1 to \(maximum) small letters, digits, dots, hyphens and underscores"

  public static let keywords: JSONObject = [
    "type": "string", "minLength": 1, "maxLength": .number(JSONNumber(maximum)), "pattern": "^[a-z0-9._-]+$",
  ]

  public static func allows(_ value: String) -> Bool {
    (1...maximum).contains(value.utf8.count)
      && value.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
          UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

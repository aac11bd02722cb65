import JSONRPC

/// The short name of whoever vouches for a person, such as `apple`.
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

/// The name a provider of identities knows a person by: opaque, but nothing that a log could be forged with.
public enum IdentitySubject: ValueRule {
  public typealias Value = String

  public static let maximum = 255

  public static let expected = "a text of 1 to \(maximum) characters without control characters"

  public static let keywords: JSONObject = [
    "type": "string", "minLength": 1, "maxLength": .number(JSONNumber(maximum)),
    "pattern": #"^[^\u0000-\u001f\u007f-\u009f]+$"#,
  ]

  public static func allows(_ value: String) -> Bool {
    (1...maximum).contains(value.unicodeScalars.count)
      && !value.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

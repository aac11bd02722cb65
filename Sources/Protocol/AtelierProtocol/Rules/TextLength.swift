import JSON

/// A string of one character or more and of limited length, counted in Unicode code points, as JSON Schema does.
public protocol TextLength: ValueRule where Value == String {
  static var maximum: Int { get }
}

extension TextLength {
  public static var expected: String { "a string of 1 to \(maximum) characters" }

  public static var keywords: JSONObject {
    ["type": "string", "minLength": 1, "maxLength": .number(JSONNumber(maximum))]
  }

  public static func allows(_ value: String) -> Bool {
    (1...maximum).contains(value.unicodeScalars.count)
  }
}

/// A longer text written by a person. It may contain tabs and line breaks but no other control characters: those take six
/// bytes each in every line that repeats the text.
public protocol WrittenText: ValueRule where Value == String {
  static var maximum: Int { get }
}

extension WrittenText {
  public static var expected: String {
    "a string of at most \(maximum) characters, without control characters other than tabs and line breaks"
  }

  public static var keywords: JSONObject {
    [
      "type": "string", "maxLength": .number(JSONNumber(maximum)),
      "pattern": #"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f]*$"#,
    ]
  }

  public static func allows(_ value: String) -> Bool {
    value.unicodeScalars.count <= maximum
      && !value.utf8.contains { $0 < 0x20 && ![UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains($0) }
  }
}

/// A prompt.
public enum PromptLength: WrittenText { public static let maximum = 8_000 }

/// The length of a key that is unique within an account.
public enum IdempotencyKeyLength: TextLength { public static let maximum = 128 }

/// The length of a name, such as that of a model or a template.
public enum NameLength: TextLength { public static let maximum = 256 }

/// The tag of a language (BCP 47), such as `es-MX`.
public enum LanguageTag: ValueRule {
  public typealias Value = String

  public static let expected = "the tag of a language, such as en or es-MX"
  public static let keywords: JSONObject = [
    "type": "string", "maxLength": 35, "pattern": "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$",
  ]

  public static func allows(_ value: String) -> Bool {
    let parts = value.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
    guard value.utf8.count <= 35, let first = parts.first, (2...8).contains(first.count), first.allSatisfy(isLetter)
    else { return false }
    return parts.dropFirst().allSatisfy { part in
      (1...8).contains(part.count) && part.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
    }
  }
}

/// The length of a search term.
public enum SearchLength: TextLength { public static let maximum = 500 }

/// The length of a cursor.
public enum CursorLength: TextLength { public static let maximum = 1_024 }

/// The length of a path.
public enum PathLength: TextLength { public static let maximum = 4_096 }

/// A person's comment on a result.
public enum FeedbackLength: WrittenText { public static let maximum = 2_000 }

/// The counterpart of ``Limited`` for a string that is required.
@propertyWrapper
public struct LimitedText<Rule: ValueRule>: Sendable, Equatable where Rule.Value == String {
  public var wrappedValue: String

  public init(wrappedValue: String) { self.wrappedValue = wrappedValue }
}

extension LimitedText: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try Rule.read(from: decoder)
    guard Rule.allows(text) else { throw JSONExpectation(Rule.expected) }
    wrappedValue = text
  }

  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// Any data of a host; the service never interprets it.
public enum Metadata: ValueRule {
  public typealias Value = JSONObject

  /// Measured as compact JSON.
  public static let maximumBytes = 4_096

  public static var expected: String { "an object of at most \(maximumBytes) bytes as JSON" }
  public static var keywords: JSONObject { ["type": "object"] }

  public static func allows(_ value: JSONObject) -> Bool {
    JSONValue.object(value).serialized().count <= maximumBytes
  }
}

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

/// The id that an identity provider gives to a person: opaque, but without control characters, which could forge log
/// lines.
public enum IdentitySubject: ValueRule {
  public typealias Value = String

  public static let maximum = 255

  public static let expected = "a string of 1 to \(maximum) characters without control characters"

  public static let keywords: JSONObject = [
    "type": "string", "minLength": 1, "maxLength": .number(JSONNumber(maximum)),
    "pattern": #"^[^\u0000-\u001f\u007f-\u009f]+$"#,
  ]

  public static func allows(_ value: String) -> Bool {
    (1...maximum).contains(value.unicodeScalars.count)
      && !value.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

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

/// The length of the version of terms of use.
public enum ConsentVersion: TextLength { public static let maximum = 128 }

import JSONRPC

/// A text that is limited in length, counted in Unicode code points as JSON Schema does.
public protocol TextLength: ValueRule where Value == String {
  static var minimum: Int { get }
  static var maximum: Int { get }
}

extension TextLength {
  public static var minimum: Int { 1 }

  public static var expected: String {
    minimum == 0 ? "a text of at most \(maximum) characters" : "a text of \(minimum) to \(maximum) characters"
  }

  public static var keywords: JSONObject {
    var keywords: JSONObject = ["type": "string"]
    if minimum > 0 { keywords["minLength"] = .number(JSONNumber(minimum)) }
    keywords["maxLength"] = .number(JSONNumber(maximum))
    return keywords
  }

  public static func allows(_ value: String) -> Bool {
    (minimum...maximum).contains(value.unicodeScalars.count)
  }
}

/// What the person asks for, in words (PROTOCOL 3).
public enum PromptLength: TextLength {
  public static let minimum = 0
  public static let maximum = 8_000
}

/// A key that is unique for an account (PROTOCOL 3).
public enum IdempotencyKeyLength: TextLength { public static let maximum = 128 }

/// A name, such as that of a model or a template.
public enum NameLength: TextLength { public static let maximum = 256 }

/// Words to look for.
public enum SearchLength: TextLength { public static let maximum = 500 }

/// A place to go on reading from, as it was given.
public enum CursorLength: TextLength { public static let maximum = 1_024 }

/// The path of a folder.
public enum PathLength: TextLength { public static let maximum = 4_096 }

/// What a person has to say about a result.
public enum FeedbackLength: TextLength {
  public static let minimum = 0
  public static let maximum = 2_000
}

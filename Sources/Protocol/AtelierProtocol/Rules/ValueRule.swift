import JSON

/// What a member's value must fulfil beyond its type: the only source for its check and its schema.
public protocol ValueRule<Value>: SendableMetatype {
  associatedtype Value: Codable & Sendable & Equatable

  /// What is expected, to follow "must be": "an integer from 1 to 4".
  static var expected: String { get }

  /// The same as JSON Schema keywords: `{"minimum": 1, "maximum": 4}`.
  static var keywords: JSONObject { get }

  static func allows(_ value: Value) -> Bool

  /// Reads the value without checking it.
  /// - Throws: `JSONExpectation`, or what the parts of the value throw.
  static func read(from decoder: any Decoder) throws -> Value
}

extension ValueRule {
  public static func read(from decoder: any Decoder) throws -> Value {
    do { return try Value(from: decoder) } catch { throw JSONExpectation(expected) }
  }
}

import JSONRPC

/// What a member's value must be beyond its type; the one source for checking it and for its schema.
public protocol ValueRule<Value>: SendableMetatype {
  associatedtype Value: Codable & Sendable & Equatable

  /// What is wanted, to follow "must be": "an integer from 1 to 4".
  static var expected: String { get }

  /// The same as JSON Schema keywords: `{"minimum": 1, "maximum": 4}`.
  static var keywords: JSONObject { get }

  static func allows(_ value: Value) -> Bool

  /// Reads the value, not yet checked.
  /// - Throws: `JSONExpectation`, or what the parts of the value throw.
  static func read(from decoder: any Decoder) throws -> Value
}

extension ValueRule {
  public static func read(from decoder: any Decoder) throws -> Value {
    do { return try Value(from: decoder) } catch { throw JSONExpectation(expected) }
  }
}

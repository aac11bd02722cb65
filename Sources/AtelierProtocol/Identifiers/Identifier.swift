import JSONRPC

/// An opaque string that names something; on the wire a JSON string of 1 to 128 characters.
///
/// Identifiers are compared, hashed and ordered by their bytes, as the database does: `zo\u{E9}` and `zoe\u{301}` name two
/// accounts, although Swift calls the strings equal.
public protocol Identifier: RawRepresentable<String>, Codable, Hashable, Comparable, Sendable,
  ExpressibleByStringLiteral, CustomStringConvertible, SchemaProviding
{
  init(rawValue: String)

  /// What it names, in a sentence for the schema.
  static var meaning: String { get }
}

extension Identifier {
  /// The longest identifier accepted, in Unicode code points.
  public static var maximumLength: Int { 128 }

  public init(stringLiteral value: String) { self.init(rawValue: value) }

  public var description: String { rawValue }

  public static func == (left: Self, right: Self) -> Bool { ExactText.areSame(left.rawValue, right.rawValue) }

  // The standard library has one of its own for whatever has a raw value, which compares strings as Swift does.
  public static func != (left: Self, right: Self) -> Bool { !(left == right) }

  public static func < (left: Self, right: Self) -> Bool { ExactText.precedes(left.rawValue, right.rawValue) }

  public func hash(into hasher: inout Hasher) { ExactText.hash(rawValue, into: &hasher) }

  static var expected: String { "an id of 1 to \(maximumLength) characters" }

  public init(from decoder: any Decoder) throws { self.init(rawValue: try Self.text(from: decoder)) }

  /// The text of an identifier, not yet judged any further.
  static func text(from decoder: any Decoder) throws -> String {
    let container = try decoder.singleValueContainer()
    guard let text = try? container.decode(String.self), !text.isEmpty,
      text.unicodeScalars.count <= Self.maximumLength
    else { throw JSONExpectation(expected) }
    return text
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

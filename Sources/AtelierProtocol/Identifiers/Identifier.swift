import JSONRPC

/// An opaque string that names something; on the wire a JSON string of 1 to 128 characters.
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

  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let text = try? container.decode(String.self), !text.isEmpty,
      text.unicodeScalars.count <= Self.maximumLength
    else { throw JSONExpectation("an id of 1 to \(Self.maximumLength) characters") }
    self.init(rawValue: text)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }
}

import JSON

/// An optional member whose value must follow a rule. Reading any other value fails with what is expected.
///
/// The rule is checked when the value is read from a message, not when the program sets it.
@propertyWrapper
public struct Limited<Rule: ValueRule>: Sendable, Equatable {
  public var wrappedValue: Rule.Value?

  public init(wrappedValue: Rule.Value?) { self.wrappedValue = wrappedValue }
}

extension Limited: Codable {
  public init(from decoder: any Decoder) throws {
    let value = try Rule.read(from: decoder)
    guard Rule.allows(value) else { throw JSONExpectation(Rule.expected) }
    wrappedValue = value
  }

  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

// Synthesised coding asks for a wrapper as for a required member; these make it the optional member that it is.
extension KeyedDecodingContainer {
  public func decode<Rule>(_ type: Limited<Rule>.Type, forKey key: Key) throws -> Limited<Rule> {
    try decodeIfPresent(type, forKey: key) ?? Limited(wrappedValue: nil)
  }
}

extension KeyedEncodingContainer {
  public mutating func encode<Rule>(_ value: Limited<Rule>, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue, forKey: key)
  }
}

/// A number within bounds.
public protocol BoundedNumber<Value>: ValueRule where Value: Comparable & Hashable {
  static var range: ClosedRange<Value> { get }
}

extension BoundedNumber {
  public static func allows(_ value: Value) -> Bool { range.contains(value) }
}

/// An integer within bounds.
public protocol IntegerRange: BoundedNumber where Value == Int {}

extension IntegerRange {
  public static var expected: String { "an integer from \(range.lowerBound) to \(range.upperBound)" }

  public static var keywords: JSONObject {
    [
      "type": "integer", "minimum": .number(JSONNumber(range.lowerBound)),
      "maximum": .number(JSONNumber(range.upperBound)),
    ]
  }
}

/// How many variations of a picture.
public enum ImageCount: IntegerRange { public static let range = 1...4 }

/// How many entries a page has.
public enum PageSize: IntegerRange { public static let range = 1...100 }

/// How long a generation may take, in milliseconds: up to an hour.
public enum Timeout: IntegerRange { public static let range = 1...3_600_000 }

/// How long a request may wait for its provider, in milliseconds: up to thirty days.
public enum Wait: IntegerRange { public static let range = 1...2_592_000_000 }

/// A whole number that makes a result repeatable where the provider can.
public enum Seed: IntegerRange { public static let range = 0...4_294_967_295 }

/// How many places a list has at most.
public enum PlaceCount: IntegerRange { public static let range = 1...50 }

/// Which picture of a result, from 0.
public enum ImageIndex: IntegerRange { public static let range = 0...3 }

/// The longest side of a small picture, in pixels.
public enum ThumbnailSide: IntegerRange { public static let range = 16...2048 }

/// The longest side of a prepared photo, in pixels: the sides that `generate` takes.
public enum PreparedSide: IntegerRange { public static let range = 256...4096 }

/// A position in a file, in bytes.
public enum ByteOffset: IntegerRange { public static let range = 0...2_147_483_647 }

/// What a person thinks of a result, from bad to good.
public enum Rating: IntegerRange { public static let range = 1...5 }

/// The counterpart of ``Limited`` for a number that is required.
@propertyWrapper
public struct LimitedNumber<Rule: BoundedNumber>: Sendable, Hashable {
  public var wrappedValue: Rule.Value

  public init(wrappedValue: Rule.Value) { self.wrappedValue = wrappedValue }
}

extension LimitedNumber: Codable {
  public init(from decoder: any Decoder) throws {
    let value = try Rule.read(from: decoder)
    guard Rule.allows(value) else { throw JSONExpectation(Rule.expected) }
    wrappedValue = value
  }

  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// Degrees north of the equator.
public enum Latitude: NumberRange { public static let range = -90.0...90.0 }

/// Degrees east of Greenwich.
public enum Longitude: NumberRange { public static let range = -180.0...180.0 }

/// A number with or without a fraction, within bounds.
public protocol NumberRange: BoundedNumber where Value == Double {}

extension NumberRange {
  public static var expected: String { "a number from \(text(range.lowerBound)) to \(text(range.upperBound))" }

  public static var keywords: JSONObject {
    [
      "type": "number", "minimum": .init(floatLiteral: range.lowerBound),
      "maximum": .init(floatLiteral: range.upperBound),
    ]
  }

  private static func text(_ bound: Double) -> String { JSONNumber(bound)?.text ?? "\(bound)" }
}

/// How much a model may vary the result.
public enum Temperature: NumberRange { public static let range = 0.0...2.0 }

/// The reference pictures: with the photo, no more than three pictures in a request.
public enum ReferenceImages: ValueRule {
  public typealias Value = [ImageSource]

  public static let maximum = 2

  public static var expected: String { "at most \(maximum) images" }
  public static var keywords: JSONObject { ["maxItems": .number(JSONNumber(maximum))] }

  public static func allows(_ value: [ImageSource]) -> Bool { value.count <= maximum }

  /// Errors name the picture that they are about.
  public static func read(from decoder: any Decoder) throws -> [ImageSource] { try [ImageSource](from: decoder) }
}

/// A member that is always present, and `null` when it has no value.
@propertyWrapper
public struct Nullable<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
  public var wrappedValue: Value?

  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  public init(from decoder: any Decoder) throws { wrappedValue = try Value?(from: decoder) }

  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// A message without params. It refuses every member, which synthesised coding would ignore.
public protocol Parameterless: Codable {
  init()
}

extension Parameterless {
  public init(from decoder: any Decoder) throws {
    _ = try decoder.container(keyedBy: NoMember.self)
    self.init()
  }

  public func encode(to encoder: any Encoder) throws {
    _ = encoder.container(keyedBy: NoMember.self)
  }
}

private enum NoMember: CodingKey {}

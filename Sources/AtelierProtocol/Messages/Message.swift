import JSON

/// A method: its stored properties are its params, by name.
///
/// To add one: write its file here and its examples in `Registry/Examples`, list it in ``ProtocolRegistry``,
/// regenerate the schema with `make schema`, and describe it in `protocol/PROTOCOL.md`.
public protocol RequestMessage: Codable, Sendable, Equatable, SchemaDescribed {
  /// The name on the wire.
  static var method: String { get }

  /// What it does, in a few words.
  static var title: String { get }

  /// What it is answered with when all is done.
  associatedtype Result: Codable & Sendable & Equatable

  /// What goes on the wire: the result, or where there are several answers, one of them.
  associatedtype Answer: Codable & Sendable & Equatable = Result

  /// The application errors it may be answered with, beside `internal` and `overloaded`, which any may.
  static var errors: [ErrorKind] { get }

  /// At least one call with its answer.
  static var examples: [RequestExample<Self>] { get }
}

/// The answer of a method that has nothing to say: `null`.
public struct NullResult: Codable, Sendable, Equatable {
  public init() {}

  public init(from decoder: any Decoder) throws {
    guard try decoder.singleValueContainer().decodeNil() else { throw JSONExpectation("null") }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}

/// A message that is not answered: its stored properties are its params, by name.
public protocol NotificationMessage: Codable, Sendable, Equatable, SchemaDescribed {
  /// The name on the wire.
  static var method: String { get }

  /// What it is, in a few words.
  static var title: String { get }

  static var example: Self { get }
}

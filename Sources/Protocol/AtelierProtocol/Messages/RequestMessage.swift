import JSON

/// A method: its stored properties are its params, by name.
///
/// Its doc comment and those of its properties become the text of the reference, the schema and the Python client.
public protocol RequestMessage: Codable, Sendable, Equatable {
  /// The name on the wire.
  static var method: String { get }

  /// The type of its result.
  associatedtype Result: Codable & Sendable & Equatable

  /// The service's errors that it may be answered with, besides `internal` and `overloaded`, which any method may
  /// return.
  static var errors: [ErrorKind] { get }
}

extension RequestMessage {
  public static var errors: [ErrorKind] { [] }
}

/// The result of a method that returns nothing: `null`.
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
public protocol NotificationMessage: Codable, Sendable, Equatable {
  /// The name on the wire.
  static var method: String { get }
}

import JSON

/// A method: its stored properties are its params, by name.
///
/// Its doc comment and those of its properties are what the reference, the schema and the Python client say of them.
public protocol RequestMessage: Codable, Sendable, Equatable {
  /// The name on the wire.
  static var method: String { get }

  /// What it is answered with.
  associatedtype Result: Codable & Sendable & Equatable

  /// The application errors it may be answered with, beside `internal` and `overloaded`, which any may.
  static var errors: [ErrorKind] { get }
}

extension RequestMessage {
  public static var errors: [ErrorKind] { [] }
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
public protocol NotificationMessage: Codable, Sendable, Equatable {
  /// The name on the wire.
  static var method: String { get }
}

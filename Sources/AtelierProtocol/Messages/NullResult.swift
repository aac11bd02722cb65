import JSONRPC

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

import JSON

/// A secret string. Printing it in any way does not reveal it.
public struct SecretText: Sendable, Equatable {
  /// The secret itself, for the code that has to use it.
  public let revealed: String

  public init(_ text: String) { revealed = text }
}

extension SecretText: Codable {
  public init(from decoder: any Decoder) throws {
    do {
      revealed = try decoder.singleValueContainer().decode(String.self)
    } catch {
      // Said here, because what is found instead would be repeated otherwise.
      let path = decoder.codingPath.map { "/\($0.stringValue)" }.joined()
      throw JSONDecodingFailure(path: path, expected: "a string", message: "\(path) must be a string.")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(revealed)
  }
}

extension SecretText: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "…" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

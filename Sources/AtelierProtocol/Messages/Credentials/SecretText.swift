import JSONRPC

/// A text that is told once and never shown: however it is printed, it stays hidden (REQUIREMENTS 3.5).
public struct SecretText: Sendable, Equatable {
  /// The whole of it, for the one place that needs it.
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

extension SecretText: SchemaProviding {
  public static var isNamed: Bool { false }
  public static var placeholder: SecretText { SecretText("key") }

  public static func schema(in builder: SchemaBuilder) -> JSONObject {
    ["type": "string"]
  }
}

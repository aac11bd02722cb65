/// A URL that gives whoever has it a right. Printing it in any way does not reveal it, and a trace hides it.
public struct SecretLink: Sendable, Equatable {
  /// The URL itself.
  public let revealed: String

  public init(_ url: String) { revealed = url }
}

extension SecretLink: Codable {
  public init(from decoder: any Decoder) throws { revealed = try decoder.singleValueContainer().decode(String.self) }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(revealed)
  }
}

extension SecretLink: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "…" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

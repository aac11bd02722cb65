import AtelierProtocol

/// A provider that takes an API key.
public struct KeyedProvider: Sendable, Equatable {
  public let id: ProviderID
  /// The environment variables that can hold its key; the first one that is set wins.
  public let environmentVariables: [String]

  /// All providers that take a key.
  public static let all = [
    KeyedProvider(id: .gemini, environmentVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"]),
    KeyedProvider(id: .openai, environmentVariables: ["OPENAI_API_KEY"]),
  ]

  /// - Returns: nil for a provider that takes no key.
  public static func named(_ id: ProviderID) -> KeyedProvider? { all.first { $0.id == id } }
}

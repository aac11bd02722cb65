import AtelierProtocol

/// A provider's API key. It describes itself by its last characters only, so that no log or error can hold it by
/// accident; ``text`` is the one way to the whole.
public struct APIKey: Sendable, Equatable {
  /// The most characters a key may have.
  public static let maximumLength = 4096

  /// The key itself, for the header of a request and the place where it is kept.
  public let text: String

  /// - Returns: nil when it is empty, longer than ``maximumLength``, or holds a character that no HTTP header may.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { return nil }
    self.text = text
  }

  /// What a person recognises it by: its last four characters, and those only of one long enough to hide the rest.
  public var masked: String {
    text.utf8.count >= 16 ? "…\(text.suffix(4))" : "…"
  }
}

extension APIKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { masked }
  public var debugDescription: String { masked }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where a provider gets its key from, each time it needs it.
public protocol APIKeySource: Sendable {
  /// - Returns: nil when there is none.
  /// - Throws: `AtelierError` when there is one that cannot be read.
  func key(for provider: ProviderID) async throws(AtelierError) -> APIKey?
}

/// A provider that takes an API key.
public struct KeyedProvider: Sendable, Equatable {
  public let id: ProviderID
  /// The environment variables that can hold its key, the first one that is set winning.
  public let environmentVariables: [String]

  /// Every one there is (PROTOCOL 7).
  public static let all = [
    KeyedProvider(id: .gemini, environmentVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"]),
    KeyedProvider(id: .openai, environmentVariables: ["OPENAI_API_KEY"]),
  ]

  /// - Returns: nil for a provider that takes no key.
  public static func named(_ id: ProviderID) -> KeyedProvider? { all.first { $0.id == id } }
}

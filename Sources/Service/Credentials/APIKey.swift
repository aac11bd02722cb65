import AtelierProtocol

/// A provider's API key. Its description shows only the last characters, so that no log or error can contain it by
/// accident; only ``text`` gives the whole key.
public struct APIKey: Sendable, Equatable {
  /// The maximum length of a key.
  public static let maximumLength = 4096

  /// The key itself, for request headers and for storage.
  public let text: String

  /// - Returns: nil when it is empty, longer than ``maximumLength``, or contains a character invalid in HTTP headers.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { return nil }
    self.text = text
  }

  /// A recognisable form: the last four characters, and only if the key is long enough to hide the rest.
  public var masked: String {
    text.utf8.count >= 16 ? "…\(text.suffix(4))" : "…"
  }
}

extension APIKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { masked }
  public var debugDescription: String { masked }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Supplies a provider's key each time it is needed.
public protocol APIKeySource: Sendable {
  /// - Returns: nil when there is none.
  /// - Throws: `AtelierError` when a key exists but cannot be read.
  func key(for provider: ProviderID) async throws(AtelierError) -> APIKey?
}

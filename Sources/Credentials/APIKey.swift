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

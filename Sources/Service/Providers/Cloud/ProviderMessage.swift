import AtelierProtocol
import Credentials

/// A provider's message, sanitised for `details`: one short line without keys, URL queries, file paths or data.
///
/// If in doubt, it hides: anything that looks like a secret is replaced by an ellipsis.
public struct ProviderMessage: Sendable, Equatable {
  public let text: String

  /// The maximum length of ``text`` in characters.
  public static let maximumLength = 300
  /// The maximum number of bytes examined.
  private static let maximumBytes = 16_384

  /// - Parameter key: the key that was sent; no part of it that could be useful to anyone remains.
  /// - Returns: nil when nothing useful remains.
  public init?(_ raw: String, hiding key: APIKey?) {
    var words: [String] = []
    var hidesNext = false
    let secret = key.map(SecretParts.init)
    for word in Self.words(of: raw) {
      let isSecret = hidesNext || secret?.occurs(in: word) == true
      hidesNext = SecretWord.introducesSecret(word)
      let shown = isSecret ? "…" : SecretWord.hiding(in: word)
      if shown != "…" || words.last != "…" { words.append(shown) }
    }
    let line = words.joined(separator: " ")
    guard line.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
    text = line.count > Self.maximumLength ? line.prefix(Self.maximumLength - 1) + "…" : line
  }

  /// Splits at blanks, line breaks and invisible characters. A last word that is cut off is dropped: the rest of it
  /// may no longer look like the secret it is.
  private static func words(of raw: String) -> [String] {
    let bytes = raw.utf8.prefix(maximumBytes)
    let isCut = bytes.endIndex < raw.utf8.endIndex
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
    let parts = scalars.split(omittingEmptySubsequences: false) { !isVisible($0) }
    return (isCut ? parts.dropLast() : parts[...]).filter { !$0.isEmpty }.map { String($0) }
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator, .spaceSeparator:
      false
    default: true
    }
  }
}

import Credentials

/// What a provider says in its own words, made fit for `details`: one short line without keys, addresses' queries, file
/// paths or data (REQUIREMENTS 5.1).
///
/// It errs on the side of hiding: what looks like a secret is replaced by an ellipsis.
public struct ProviderMessage: Sendable, Equatable {
  public let text: String

  /// The most characters of ``text``.
  public static let maximumLength = 300
  /// How much is looked at.
  private static let maximumBytes = 16_384

  /// - Parameter key: the key that was sent; no part of it that could help anybody is left.
  /// - Returns: nil when nothing worth telling is left.
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

  /// What stands between blanks, line breaks and invisible characters. A last word that is cut off is left out: what
  /// remains of it may no longer look like the secret it is.
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

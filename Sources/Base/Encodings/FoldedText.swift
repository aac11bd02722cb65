@_spi(_Unicode) import Swift

/// A text normalised for search and comparison: without case and without diacritics.
public struct FoldedText: Sendable, Hashable, Comparable {
  public let text: String

  public init(_ text: String) {
    var folded = String.UnicodeScalarView()
    // Decomposed first, so that é becomes e and a mark, whichever way it was written.
    for scalar in text.lowercased()._nfd where !Self.isMark(scalar) { folded.append(scalar) }
    self.text = String(folded)
  }

  /// Its words, for a search that requires each of them.
  public var words: [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }

  /// Also matches within what a reader sees as one letter: चोट is found in चोटी.
  public func contains(_ word: String) -> Bool { text.utf8.contains(word.utf8) }

  public static func < (left: FoldedText, right: FoldedText) -> Bool {
    left.text.unicodeScalars.lexicographicallyPrecedes(right.text.unicodeScalars)
  }

  /// Accents; not the vowel signs of Indian scripts, nor the mark that makes が of か, which writers regard as letters.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0300...0x036f, 0x0591...0x05bd, 0x064b...0x0652, 0x1ab0...0x1aff, 0x1dc0...0x1dff: true
    default: false
    }
  }
}

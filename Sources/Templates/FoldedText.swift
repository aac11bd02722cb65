@_spi(_Unicode) import Swift

/// A text as it is searched: without case and without the marks over and under its letters.
struct FoldedText: Sendable, Hashable, Comparable {
  let text: String

  init(_ text: String) {
    var folded = String.UnicodeScalarView()
    // Taken apart first, so that é is e and a mark, whichever way it was written.
    for scalar in text.lowercased()._nfd where !Self.isMark(scalar) { folded.append(scalar) }
    self.text = String(folded)
  }

  /// The words of it, for a search that wants each of them.
  var words: [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }

  /// Also within what is one letter to a reader: चोट is found in चोटी.
  func contains(_ word: String) -> Bool { text.utf8.contains(word.utf8) }

  static func < (left: FoldedText, right: FoldedText) -> Bool {
    left.text.unicodeScalars.lexicographicallyPrecedes(right.text.unicodeScalars)
  }

  /// Accents; not the vowel signs of Indian scripts, nor what makes が of か, which are letters to whoever writes them.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0300...0x036f, 0x0591...0x05bd, 0x064b...0x0652, 0x1ab0...0x1aff, 0x1dc0...0x1dff: true
    default: false
    }
  }
}

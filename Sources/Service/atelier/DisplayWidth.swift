/// How many columns of a terminal a text takes: a Chinese character or an emoji takes two, a combining accent none.
enum DisplayWidth {
  /// The columns of a text without control characters.
  static func columns(of text: String) -> Int { text.reduce(0) { $0 + columns(of: $1) } }

  /// The beginning of a text that takes at most `count` columns, without cutting a character.
  static func cut(_ text: String, to count: Int) -> String {
    var (kept, width) = ("", 0)
    for character in text {
      width += columns(of: character)
      if width > count { break }
      kept.append(character)
    }
    return kept
  }

  private static func columns(of character: Character) -> Int {
    // U+FE0F asks for the emoji of a character that also has a plain form.
    if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    return character.unicodeScalars.reduce(0) { max($0, columns(of: $1)) }
  }

  private static func columns(of scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x1100 { return false }
    return scalar.properties.isEmojiPresentation || wideRanges.contains { $0.contains(scalar.value) }
  }

  /// The blocks whose characters have the East Asian width W or F (Unicode Standard Annex #11).
  private static let wideRanges: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
    0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
    0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
  ]
}

/// The messages of decoders that succeed. Some indicate missing pixels, others harmless defects that all programs
/// ignore.
struct DecoderNotes {
  var text: String

  init(_ text: String) { self.text = text }

  /// True when pixels are missing or invented.
  var indicateDamage: Bool {
    text.split(separator: "\n").contains { line in
      Self.damage.contains { Self.contains(line, $0) } && !Self.harmless.contains { Self.contains(line, $0) }
    }
  }

  private static let damage = [
    "premature end", "corrupt", "truncated", "out of data", "read error", "unexpected", "not enough", "bad huffman",
    "end of file", "unable to", "error in", "invalid data", "incomplete",
  ]

  private static let harmless = ["extraneous bytes before marker", "profile", "iccp", "exif", "xmp", "sos parameters"]

  private static func contains(_ line: Substring, _ words: String) -> Bool {
    line.lowercased().contains(words)
  }
}

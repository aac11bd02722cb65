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

  /// The line that says why nothing was decoded, as plain characters; nil if there is none.
  var reason: String? {
    let lines = text.split(separator: "\n")
    // libheif also looks behind the end of a file, which is harmless.
    guard let line = lines.first(where: { !$0.contains("bad seek") }) ?? lines.first else { return nil }
    let plain = String(String.UnicodeScalarView(line.unicodeScalars.filter { (0x20..<0x7f).contains($0.value) }))
    // libvips puts its own words around those of libheif: "heif: … (2.0)".
    let words = plain.wholeMatch(of: /heif: (.+) \(\d+\.\d+\)/)?.output.1 ?? plain[...]
    return String(words.prefix(200))
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

import Encodings
import Testing

@Suite("A text that a person has saved")
struct SavedTextTests {
  private static let text = "{\"é\": 1}\n"

  private static func utf16(_ text: String, isLittle: Bool) -> [UInt8] {
    text.utf16.flatMap { unit in
      let bytes = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
      return isLittle ? bytes.reversed() : bytes
    }
  }

  private static func utf32(_ text: String, isLittle: Bool) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in
      let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
      return isLittle ? bytes.reversed() : bytes
    }
  }

  @Test("a saved text is read with and without a byte order mark, which is dropped")
  func utf8() throws {
    #expect(try SavedText.withoutMark(Array(Self.text.utf8)) == Array(Self.text.utf8))
    #expect(try SavedText.withoutMark([0xef, 0xbb, 0xbf] + Array(Self.text.utf8)) == Array(Self.text.utf8))
    for bytes in [[], [0x7b], [0xef, 0xbb], [0x7b, 0x7d], [0xef, 0xbb, 0xbe, 0x7b]] as [[UInt8]] {
      #expect(try SavedText.withoutMark(bytes) == bytes)
    }
    #expect(try SavedText.withoutMark([0xef, 0xbb, 0xbf]) == [])
  }

  @Test(
    "a saved text in UTF-16 or UTF-32 is named as that, with and without its mark",
    arguments: [true, false], ["\u{FEFF}", ""])
  func others(isLittle: Bool, mark: String) {
    for text in [Self.text, "A", "AI", "key\n", "{}"] {
      #expect(throws: SavedText.OtherEncoding.utf16) {
        try SavedText.withoutMark(Self.utf16(mark + text, isLittle: isLittle))
      }
      #expect(throws: SavedText.OtherEncoding.utf32) {
        try SavedText.withoutMark(Self.utf32(mark + text, isLittle: isLittle))
      }
    }
    #expect(SavedText.OtherEncoding.utf16.problem == "is in UTF-16: save it as UTF-8 and try again.")
  }

  @Test("a saved text that must be UTF-8 is, or its first other line is named", arguments: [
    ("", 0), ("name\r\nCafé\n", 0), ("Caf\u{E9}", 1), ("name\nCaf\u{E9}\nM\u{FC}ller", 2), ("a\n\n\n\u{80}", 4),
  ])
  func checked(text: String, line: Int) throws {
    // Each character below U+0100 as one byte, as in Latin-1; line 0 stands for UTF-8.
    let bytes = line == 0 ? Array(text.utf8) : text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    if line == 0 {
      #expect(try SavedText.checked([0xef, 0xbb, 0xbf] + bytes) == bytes)
    } else {
      #expect(throws: SavedText.OtherEncoding.unknown(line: line)) { try SavedText.checked(bytes) }
      #expect(throws: SavedText.OtherEncoding.unknown(line: line)) { try SavedText.checked([0xef, 0xbb, 0xbf] + bytes) }
    }
    #expect(throws: SavedText.OtherEncoding.utf16) { try SavedText.checked(Self.utf16("\u{FEFF}" + text, isLittle: true)) }
  }

  @Test("a saved text in an unknown encoding is told with its line")
  func sentence() {
    let problem = SavedText.OtherEncoding.unknown(line: 3).problem
    #expect(problem == "is not UTF-8 in line 3: save it as UTF-8 and try again.")
  }
}

import POSIX
import Testing

@testable import Imaging

@Suite("Phrases for people")
struct PhrasesTests {
  @Test("numbers of bytes are rounded up", arguments: [
    (0, "0 bytes"), (999, "999 bytes"), (1000, "1 kB"), (1001, "1.1 kB"), (7_000_000, "7 MB"),
    (7_000_001, "7.1 MB"), (40_000_000, "40 MB"),
  ])
  func byteCount(bytes: Int, expected: String) {
    #expect(ByteCount(bytes).description == expected)
  }

  @Test("paths are one word for a shell", arguments: [
    ("/home/me/a.jpg", "/home/me/a.jpg"), ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("$(rm)", "'$(rm)'"),
  ])
  func shellWord(path: String, expected: String) {
    #expect(ShellWord(path).description == expected)
  }
}

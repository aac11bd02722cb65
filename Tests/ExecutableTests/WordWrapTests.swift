import Testing

@testable import atelier

@Suite("Breaking a text between words")
struct WordWrapTests {
  @Test("a line is broken before the word that does not fit, and a longer word stands alone", arguments: [
    ("one two three", 7, ["one two", "  three"]), ("one two three", 20, ["one two three"]),
    ("  a bc", 4, ["  a", "  bc"]), ("a  two  columns", 15, ["a  two  columns"]),
    ("short unbreakable x", 6, ["short", "  unbreakable", "  x"]), ("", 5, [""]),
    // A Chinese character takes two columns.
    ("茶亭 羽當 x", 5, ["茶亭", "  羽當", "  x"]),
  ])
  func lines(text: String, columns: Int, expected: [String]) {
    #expect(WordWrap.lines(of: text, columns: columns, indentation: 2) == expected)
  }

  @Test("a command is broken so that a shell reads it as one")
  func continuation() {
    let words = ["atelier", "generate", "photo.jpg", "-o", "a.png"]
    let lines = WordWrap.lines(of: words, after: "  ", 22, 6, continuation: " \\")
    #expect(lines == ["  atelier generate \\", "      photo.jpg -o \\", "      a.png"])
  }
}

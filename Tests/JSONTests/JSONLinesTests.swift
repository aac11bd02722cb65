import JSON
import Testing

@Suite("Positions in a JSON text")
struct JSONLinesTests {
  private let text = "{\n  \"é\": {\"b~c\": [1,\n 22]},\n  \"d/e\": \"}\"\n}"

  @Test("positions in a JSON text are those of the value that a pointer names, or the nearest", arguments: [
    ("", 1, 1), ("/é", 2, 8), ("/é/b~0c", 2, 16), ("/é/b~0c/0", 2, 17), ("/é/b~0c/1", 3, 2), ("/d~1e", 4, 10),
    ("/é/missing", 2, 8), ("/é/b~0c/9", 2, 16), ("/nothing/at/all", 1, 1),
  ])
  func pointer(pointer: String, line: Int, column: Int) {
    #expect(JSONLines(Array(text.utf8)).position(of: pointer) == .init(line: line, column: column))
  }

  @Test("positions in a JSON text are counted in lines and code points from 1", arguments: [
    (0, 1, 1), (1, 1, 2), (2, 2, 1), (5, 2, 4), (7, 2, 5), (1_000_000, 5, 2), (-1, 1, 1),
  ])
  func offset(offset: Int, line: Int, column: Int) {
    #expect(JSONLines(Array(text.utf8)).position(at: offset) == .init(line: line, column: column))
  }

  @Test(
    "positions exist in any text", arguments: ["", "{", "[", "{\"a\"", "{\"a\":", "{\"a\":[", "\"", "{\"a\\", "nonsense}"])
  func broken(text: String) {
    let position = JSONLines(Array(text.utf8)).position(of: "/a/b")
    #expect(position.line == 1)
    #expect((1...text.utf8.count + 1).contains(position.column))
  }
}

import Encodings
import Testing

@Suite("A data: URL")
struct DataURLTests {
  private func read(_ text: String) -> [UInt8]? { DataURL(Array(text.utf8)[...])?.bytes }

  @Test("a data: URL stands for its bytes, whatever is said of their type", arguments: [
    ("data:image/png;base64,AQID", [1, 2, 3]), ("DATA:;BASE64,AQID", [1, 2, 3]), ("data:image/png; base64 ,AQID", [1, 2, 3]),
    ("data:;base64,AQ%49D", [1, 2, 3]), ("data:;base64,AQ\nID\r\n", [1, 2, 3]), ("data:;base64,_-8=", [255, 239]),
    ("data:;base64,_-8", [255, 239]), ("data:,%01%ff", [1, 255]), ("data:text/plain,100%", Array("100%".utf8)),
    ("data:,%4", Array("%4".utf8)), ("data:;base64,", []),
  ] as [(String, [UInt8])])
  func bytes(text: String, bytes: [UInt8]) { #expect(read(text) == bytes) }

  @Test(
    "a data: URL is none without scheme or comma, and has no bytes if they are not in the base64 that it names",
    arguments: [
      "", "data", "data:", "data:image/png;base64", "xdata:,a", "data:;base64,%%%", "data:;base64,A", "data:;base64,AQID!",
    ])
  func none(text: String) { #expect(read(text) == nil) }
}

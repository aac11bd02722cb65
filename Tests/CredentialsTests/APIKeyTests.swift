import Credentials
import Testing

@Suite("An API key")
struct APIKeyTests {
  @Test("an API key shows no more than its last four characters, however it is printed")
  func masked() throws {
    let key = try #require(APIKey("AIzaSyD-0123456789abcdefWXYZ"))
    var dumped = ""
    dump(key, to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped, String(describing: Optional(key) as Any)] {
      #expect(!text.contains("AIza") && !text.contains("abcdef"), "\(text)")
    }
    #expect(key.masked == "…WXYZ")
    #expect(APIKey("shortkey")?.masked == "…")
  }

  @Test(
    "a text that no header could carry is refused as an API key",
    arguments: ["", " ", "a b", "key\n", "schlüssel", String(repeating: "k", count: 4097)])
  func refused(text: String) {
    #expect(APIKey(text) == nil)
  }
}

import Encodings
import Testing

@Suite("Percent-encoding")
struct PercentEncodingTests {
  @Test("text is escaped but for the unreserved characters", arguments: [
    ("", ""), ("aZ09-._~", "aZ09-._~"), ("a b+c", "a%20b%2Bc"),
    ("/:?#[]@!$&'()*,;=", "%2F%3A%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2C%3B%3D"),
    ("é", "%C3%A9"), ("²", "%C2%B2"), ("\u{0}\u{7F}%", "%00%7F%25"),
  ])
  func escapes(text: String, escaped: String) {
    #expect(PercentEncoding.encoded(text) == escaped)
    #expect(PercentEncoding.decoded(Array(escaped.utf8)[...]) == Array(text.utf8))
  }
}

import Testing

@testable import Providers

@Suite("The base URL of a cloud")
struct BaseURLTests {
  @Test("a base URL is https anywhere, or http on this machine", arguments: [
    ("https://generativelanguage.googleapis.com", "https://generativelanguage.googleapis.com"),
    ("https://example.com/", "https://example.com"), ("HTTPS://Example.COM/Path/", "https://example.com/Path"),
    ("https://example.com:8443/v1//", "https://example.com:8443/v1"), ("http://127.9.8.7", "http://127.9.8.7"),
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://localhost:1", "http://localhost:1"),
    ("http://[::1]:99/x", "http://[::1]:99/x"), ("http://LocalHost.:8080/v1", "http://localhost:8080/v1"),
    ("http://0.0.0.0:8080", "http://127.0.0.1:8080"), ("http://[::]:8080/", "http://[::1]:8080"),
    ("http://[::ffff:127.0.0.1]:1", "http://127.0.0.1:1"), ("http://[0:0:0:0:0:0:0:1]", "http://[::1]"),
    ("https://[2001:db8::1]", "https://[2001:db8::1]"),
  ])
  func good(text: String, expected: String) throws {
    let url = try #require(BaseURL(text))
    #expect(url.text == expected)
    #expect(url.appending("v1/models") == "\(expected)/v1/models")
  }

  @Test("any other URL is refused as a base URL", arguments: [
    "", "example.com", "//example.com", "ftp://example.com", "file:///etc/passwd", "http://example.com",
    "http://128.0.0.1", "http://[::2]", "http://[::ffff:10.0.0.1]", "http://10.0.0.1", "http://192.168.1.2:8080",
    "http://localhost.:8080.example", "http://myhost.local:8080", "http://127.0.0.1.example.com",
    "http://localhost.example.com", "http://127.0.0.300", "https://", "https:///path", "https://user:word@example.com",
    "https://example.com?key=abc", "https://example.com#x", "https://example.com:0", "https://example.com:99999",
    "https://example.com:x", "https://exa mple.com",
    "https://example.com\n", "https://[::1", "https://::1]", "https://bücher.example", "https://example.com/\"x",
  ])
  func bad(text: String) {
    #expect(BaseURL(text) == nil)
  }
}

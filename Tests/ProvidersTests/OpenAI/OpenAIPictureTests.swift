import AtelierProtocol
import CurlHTTP
import Encodings
import Testing

@testable import Providers

@Suite("The picture in an answer of OpenAI's API, or of a server like it")
struct OpenAIPictureTests {
  @Test(
    "the provider fetches a picture from a link to the very same server",
    arguments: [
      ("http://127.0.0.1:8080/generated-images/a.png", "http://127.0.0.1:8080/generated-images/a.png"),
      ("HTTP://127.0.0.1:8080/a.png?x=1#y", "HTTP://127.0.0.1:8080/a.png?x=1"),
      ("/generated-images/a.png", "http://127.0.0.1:8080/generated-images/a.png"),
      ("http://localhost:8080/a.png?x=1#y", "http://127.0.0.1:8080/a.png?x=1"),
      ("http://LocalHost.:8080/a.png", "http://127.0.0.1:8080/a.png"),
      ("http://[::1]:8080/a.png", "http://127.0.0.1:8080/a.png"),
      ("http://[::ffff:127.0.0.1]:8080/a.png", "http://127.0.0.1:8080/a.png"),
      ("http://0.0.0.0:8080/a.png", "http://127.0.0.1:8080/a.png"),
      ("http://[::]:8080?id=/7", "http://127.0.0.1:8080?id=/7"),
    ])
  func links(link: String, url: String) async throws {
    let picture = ScriptedServer.Answer(body: try OpenAITest.photo("plain.webp"))
    let server = ScriptedServer(.json(#"{"data":[{"url":"\#(link)","b64_json":null}]}"#), picture)
    let image = try await OpenAITest.provider(server, base: OpenAITest.local).makeImage(OpenAITest.request()) { _ in }
    #expect(image.mimeType == "image/webp")
    #expect(server.requests.value.map(\.url) == ["http://127.0.0.1:8080/v1/images/generations", url])
  }

  @Test("the provider takes a link for its own however a server elsewhere spells its name", arguments: [
    "https://Gateway.Example/a.png", "https://gateway.example.:443/a.png", "https://gateway.example:443/a.png",
  ])
  func ownLinks(link: String) async throws {
    let picture = ScriptedServer.Answer(body: try OpenAITest.photo("plain.webp"))
    let server = ScriptedServer(.json(#"{"data":[{"url":"\#(link)"}]}"#), picture)
    let provider = try OpenAITest.provider(server, base: "https://gateway.example/openai/v1")
    _ = try await provider.makeImage(OpenAITest.request()) { _ in }
    let url = try #require(server.requests.value.last?.url)
    #expect(url.lowercased() == "https://gateway.example/a.png")
  }

  @Test(
    "the provider follows no link to anywhere else",
    arguments: [
      "http://127.0.0.1:8081/a.png", "https://127.0.0.1:8080/a.png", "http://localhost/a.png",
      "http://localhost.example:8080/a.png", "http://10.0.0.1:8080/a.png",
      "//evil.example/a.png", "http://127.0.0.1:8080@evil.example/a.png", "http://127.0.0.1:8080.evil.example/a.png",
      "file:///etc/passwd", "a.png", "http://127.0.0.1:8080\\\\@evil.example/", "ftp://127.0.0.1:8080/a.png",
    ])
  func foreignLinks(link: String) async throws {
    let server = ScriptedServer(.json(#"{"data":[{"url":"\#(link)"}]}"#))
    let provider = try OpenAITest.provider(server, base: OpenAITest.local)
    let error = try await #require(throws: AtelierError.self) {
      try await provider.makeImage(OpenAITest.request()) { _ in }
    }
    #expect(error.details["reason"] == "foreign_link")
    #expect(!error.isRetryable)
    #expect(server.requests.value.count == 1)
  }

  @Test("the provider reads a picture that a link itself holds")
  func dataLink() async throws {
    let text = Base64.encoded(try OpenAITest.photo("plain.png"))
    let server = ScriptedServer(.json(#"{"data":[{"url":"data:image/png;base64,\#(text)"}]}"#))
    let image = try await OpenAITest.provider(server).makeImage(OpenAITest.request()) { _ in }
    #expect(image.mimeType == "image/png")
    #expect(server.requests.value.count == 1)
  }

  @Test("the provider reads a picture in whatever form of base64 it comes, in either member", arguments: [
    "PLAIN", "data:image/png;base64,PLAIN", "DATA:;charset=utf-8;BASE64,PLAIN",
    "data:application/octet-stream;base64, PLAIN", "LINES", "data:image/png;base64,\\nLINES", "URLSAFE", "UNPADDED",
    "data:image/png;base64,ESCAPED",
  ], ["b64_json", "url"])
  func formsOfBase64(form: String, member: String) async throws {
    let bytes = try OpenAITest.photo("plain.png")
    let plain = Base64.encoded(bytes)
    let lines = stride(from: 0, to: plain.count, by: 76).map { plain.dropFirst($0).prefix(76) }.joined(separator: "\\r\\n")
    let text = form.replacing("PLAIN", with: plain).replacing("LINES", with: lines)
      .replacing("URLSAFE", with: plain.replacing("+", with: "-").replacing("/", with: "_"))
      .replacing("UNPADDED", with: plain.replacing("=", with: ""))
      .replacing("ESCAPED", with: plain.replacing("+", with: "%2B").replacing("=", with: "%3d"))
    let server = ScriptedServer(.json(#"{"data":[{"\#(member)":"\#(text)"}]}"#))
    let image = try await OpenAITest.provider(server).makeImage(OpenAITest.request()) { _ in }
    #expect(image.bytes == bytes)
    #expect(server.requests.value.count == 1)
  }

  @Test("the provider is not misled by members that say nothing, nor by the entry that comes first", arguments: [
    #"{"data":[{"b64_json":"None","url":"data:image/png;base64,PICTURE"}],"error":"None"}"#,
    #"{"data":[{"b64_json":"","url":"null"},{"b64_json":"PICTURE"}],"error":{"message":"None","code":null}}"#,
    #"{"data":{"url":"N/A","b64_json":"PICTURE"},"error":{}}"#, #"{"data":[{"b64_json":"PICTURE"}],"error":false}"#,
    #"{"data":[{"b64_json":"PICTURE"}],"error":{"message":"the second one failed","code":500},"detail":"x"}"#,
    #"{"data":[],"b64_json":"PICTURE","errors":["x"]}"#, #"[{"data":[{"b64_json":"PICTURE"}],"detail":"x"}]"#,
    #"[{"error":{"message":"x"}},{"b64_json":"PICTURE"}]"#,
    #"{"error":{"message":"x"},"url":"https://help.example","b64_json":"PICTURE"}"#,
  ])
  func membersThatSayNothing(body: String) async throws {
    let bytes = try OpenAITest.photo("plain.png")
    let server = ScriptedServer(.json(body.replacing("PICTURE", with: Base64.encoded(bytes))))
    #expect(try await OpenAITest.provider(server).makeImage(OpenAITest.request()) { _ in }.bytes == bytes)
  }

  /// Of 30, 300 and 8000 bytes, in its path or in its query: long texts are cut out of an answer before it is parsed.
  static let longLinks = [
    "http://localhost:8080/a.png", "HTTP://localhost:8080/a.png", " http:\\/\\/localhost:8080\\/a.png ",
    "http://localhost:8080/a.png?signature=\(String(repeating: "s", count: 300))",
    "http://localhost:8080/a.png?signature=\(String(repeating: "s", count: 8000))",
    "http://localhost:8080/\(String(repeating: "d/", count: 4000))a.png",
  ]

  @Test(
    "the provider follows a link that stands where base64 belongs, by the same rules",
    arguments: longLinks, ["b64_json", "url"])
  func linkForBase64(link: String, member: String) async throws {
    let picture = ScriptedServer.Answer(body: try OpenAITest.photo("plain.webp"))
    let server = ScriptedServer(.json(#"{"data":[{"\#(member)":"\#(link)"}]}"#), picture)
    let provider = try OpenAITest.provider(server, base: OpenAITest.local)
    #expect(try await provider.makeImage(OpenAITest.request()) { _ in }.mimeType == "image/webp")
    #expect(server.requests.value.last?.url.hasPrefix("http://127.0.0.1:8080/") == true)
  }

  @Test("an unfollowed link is told to be too long or to lead elsewhere, not as a damaged picture", arguments: [
    ("http://localhost:8080/a.png?s=\(String(repeating: "s", count: 8192))", "link_too_long"),
    ("http://localhost:8080/\(String(repeating: "d/", count: 50_000))", "link_too_long"),
    ("https://evil.example/\(String(repeating: "d", count: 400))", "foreign_link"),
    ("https://evil.example/a.png", "foreign_link"),
  ], ["b64_json", "url"])
  func unfollowedLinks(link: (String, String), member: String) async throws {
    let server = ScriptedServer(.json(#"{"data":[{"\#(member)":"\#(link.0)"}]}"#))
    let provider = try OpenAITest.provider(server, base: OpenAITest.local)
    let error = try await #require(throws: AtelierError.self) { try await provider.makeImage(OpenAITest.request()) { _ in } }
    #expect(error.kind == .noImageReturned && error.details["reason"]?.string == link.1)
    #expect(!error.isRetryable && error.details["mayHaveBeenCharged"] == true)
    #expect(server.requests.value.count == 1)
  }
}

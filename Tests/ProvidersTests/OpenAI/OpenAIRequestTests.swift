import AtelierProtocol
import CurlHTTP
import Foundation
import JSON
import Support
import Testing

@testable import Providers

@Suite("A request to OpenAI's Images API")
struct OpenAIRequestTests {
  private static let jpeg: [UInt8] = [0xff, 0xd8, 0xff, 0xe0, 0x0d, 0x0a]
  private static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  private func sent(_ request: ImageRequest, _ settings: OpenAISettings) throws -> HTTPRequest {
    let server = OpenAIServer(settings.cloud)
    let call = try OpenAICall(request, settings: settings, server: server, unwanted: [])
    var random = SplitMix64(seed: 1)
    return call.request(to: server, headers: [], limits: HTTPLimits(), random: &random)
  }

  @Test("a request to the Images API is JSON to generations where there are only words")
  func words() throws {
    let request = OpenAITest.request(prompt: "灯台\n\"🌅\"", aspectRatio: "3:2", size: "1K")
    let http = try sent(request, try OpenAITest.settings())
    #expect(http.method == .post)
    #expect(http.url == "https://api.openai.com/v1/images/generations")
    #expect(http.headers == [HTTPHeader("Content-Type", "application/json")])
    let body =
      #"{"model":"gpt-image-2","prompt":"灯台\n\"🌅\"","size":"1248x832","stream":true,"partial_images":1}"#
    #expect(String(decoding: try #require(http.body), as: UTF8.self) == body)
  }

  @Test("a request to the Images API is a form with the field `image` where there is one picture")
  func onePicture() throws {
    let request = OpenAITest.request(.headshot, photo: Self.jpeg, prompt: "Ein Porträt\nbitte")
    let http = try sent(request, try OpenAITest.settings(OpenAITest.local))
    #expect(http.url == "http://127.0.0.1:8080/v1/images/edits")
    let boundary = "atelier-27eiv0aytrp352wircf5hfn887"
    #expect(http.headers == [HTTPHeader("Content-Type", "multipart/form-data; boundary=\(boundary)")])
    var body = Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\ngpt-image-2\r\n".utf8)
    body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"prompt\"\r\n\r\nEin Porträt\nbitte\r\n".utf8
    body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"image\"; filename=\"image-1.jpg\"\r\n".utf8
    body += "Content-Type: image/jpeg\r\n\r\n".utf8 + Self.jpeg + "\r\n--\(boundary)--\r\n".utf8
    let isSame = http.body == body
    #expect(isSame)
  }

  @Test("a request to the Images API repeats the field `image[]` where there are several, the photo first")
  func severalPictures() throws {
    let request = OpenAITest.request(.edit, photo: Self.jpeg, references: [Self.png, Self.jpeg])
    let http = try sent(request, try OpenAITest.settings(model: "gpt-image-1.5"))
    let text = String(decoding: try #require(http.body), as: UTF8.self)
    let names = text.split(separator: "\r\n").filter { $0.hasPrefix("Content-Disposition") }
      .map { $0.dropFirst("Content-Disposition: form-data; ".count) }
    #expect(
      names == [
        #"name="model""#, #"name="prompt""#, #"name="input_fidelity""#, #"name="stream""#, #"name="partial_images""#,
        #"name="image[]"; filename="image-1.jpg""#, #"name="image[]"; filename="image-2.png""#,
        #"name="image[]"; filename="image-3.jpg""#,
      ])
    let types = text.split(separator: "\r\n").filter { $0.hasPrefix("Content-Type") }
    #expect(types == ["Content-Type: image/jpeg", "Content-Type: image/png", "Content-Type: image/jpeg"])
    #expect(text.contains("name=\"stream\"\r\n\r\ntrue\r\n"))
  }

  @Test("a request to create something after references goes to edits")
  func references() throws {
    let http = try sent(OpenAITest.request(references: [Self.png]), try OpenAITest.settings())
    #expect(http.url.hasSuffix("/images/edits"))
  }

  @Test(
    "a request to the Images API has a boundary that does not occur in what it separates",
    arguments: 0..<50 as Range<UInt64>)
  func boundary(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var form = MultipartForm(random: &random)
    let first = form.contentType
    // What somebody would write who knows how boundaries look, but not this one.
    form.add("prompt", text: "\r\n--atelier-27eiv0aytrp352wircf5hfn888--\r\nContent-Disposition: form-data")
    let boundary = first.dropFirst("multipart/form-data; boundary=".count)
    #expect((33...36).contains(boundary.utf8.count), "seed \(seed)")
    let parts = String(decoding: form.body, as: UTF8.self).components(separatedBy: "--\(boundary)")
    #expect(parts.count == 3, "seed \(seed)")
    #expect(MultipartForm(random: &random).contentType != first)
  }

  @Test("a request to the Images API asks other models than OpenAI's for base64, and streams only where that is wanted")
  func localModels() throws {
    var settings = try OpenAITest.settings(OpenAITest.local, model: "qwen-image")
    settings.quality = "high"
    settings.takesSeed = true
    let quiet = try sent(OpenAITest.request(seed: 7), settings)
    #expect(
      String(decoding: try #require(quiet.body), as: UTF8.self)
        == #"{"model":"qwen-image","prompt":"a lighthouse","quality":"high","response_format":"b64_json","seed":7}"#)
    settings.partialImages = 9
    let streamed = try JSONValue(parsing: try #require(try sent(OpenAITest.request(), settings).body))
    #expect(streamed["stream"] == true)
    #expect(streamed["partial_images"] == 3)
  }

  @Test(
    "a request to the Images API goes to the address that the base URL means",
    arguments: [
      ("https://api.openai.com", "https://api.openai.com/v1/images/generations"),
      ("https://api.openai.com/v1/", "https://api.openai.com/v1/images/generations"),
      ("http://localhost:1234", "http://localhost:1234/v1/images/generations"),
      ("https://gateway.example/openai/v1", "https://gateway.example/openai/v1/images/generations"),
    ])
  func addresses(base: String, url: String) throws {
    #expect(try sent(OpenAITest.request(), try OpenAITest.settings(base)).url == url)
  }

  @Test("a request to the Images API is refused for pictures the API does not take")
  func formats() throws {
    let heic = try OpenAITest.photo("plain.heic")
    let settings = try OpenAITest.settings()
    for picture in [heic, [], Array("GIF89a".utf8)] {
      let error = try #require(throws: AtelierError.self) {
        try sent(OpenAITest.request(.headshot, photo: picture), settings)
      }
      #expect(error.kind == .unsupportedImage)
    }
    let missing = try #require(throws: AtelierError.self) { try sent(OpenAITest.request(.edit), settings) }
    #expect(missing.kind == .wrongRecipeInput)
  }
}

import AtelierProtocol
import CurlHTTP
import Synchronization
import Testing

@testable import Providers

@Suite("A request to Gemini")
struct GeminiRequestTests {
  private static let jpeg: [UInt8] = [0xff, 0xd8, 0xff, 0xfb, 0xf0, 0x3e]
  private static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  private static let webp = Array("RIFF\0\0\0\0WEBP".utf8)

  private func body(_ request: ImageRequest, model: String = "gemini-nano-banana-2.1") throws -> String {
    let model = try #require(GeminiModel(checking: model))
    return String(decoding: try GeminiBody(request, model: model).encoded(), as: UTF8.self)
  }

  @Test("a request to Gemini says no more than is asked")
  func words() throws {
    #expect(
      try body(GeminiTest.request(prompt: "灯台\n\"🌅\" \u{2028}"))
        == #"{"contents":[{"role":"user","parts":[{"text":"灯台\n\"🌅\" \u2028"}]}],"#
        + #""generationConfig":{"responseModalities":["TEXT","IMAGE"]}}"#)
  }

  @Test("a request to Gemini has the words first, then the photo, then the references, each called what it is")
  func pictures() throws {
    let request = GeminiTest.request(
      .edit, photo: Self.jpeg, references: [Self.png, Self.webp], prompt: "make the car red", temperature: 0.25,
      seed: 7, aspectRatio: "16:9", size: "2k")
    #expect(
      try body(request)
        == #"{"contents":[{"role":"user","parts":[{"text":"make the car red"},"#
        + #"{"inlineData":{"mimeType":"image/jpeg","data":"/9j/+/A+"}},"#
        + #"{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}},"#
        + #"{"inlineData":{"mimeType":"image/webp","data":"UklGRgAAAABXRUJQ"}}]}],"#
        + #""generationConfig":{"responseModalities":["TEXT","IMAGE"],"#
        + #""imageConfig":{"aspectRatio":"16:9","imageSize":"2K"},"temperature":0.25,"seed":7}}"#)
  }

  @Test("a request to Gemini leaves out what the model does not take")
  func oldModel() throws {
    let request = GeminiTest.request(aspectRatio: "1:1", size: "1K")
    #expect(try body(request, model: "gemini-2.5-flash-image").contains(#""imageConfig":{"aspectRatio":"1:1"}"#))
    let sizeOnly = GeminiTest.request(size: "1K")
    #expect(try !body(sizeOnly, model: "gemini-2.5-flash-image").contains("imageConfig"))
  }

  @Test("a request to Gemini gives each variation a seed of its own, within 31 bits", arguments: [
    (7, 0, 7), (7, 3, 10), (4_294_967_295, 0, 2_147_483_647), (4_294_967_295, 1, 0), (2_147_483_648, 2, 2),
  ])
  func seeds(seed: Int, variation: Int, expected: Int) throws {
    let request = GeminiTest.request(variation: variation, seed: seed)
    #expect(try body(request).contains(#""seed":\#(expected)}"#))
  }

  @Test("a request to Gemini is not made of pictures that Gemini does not read", arguments: [
    ("plain.avif", ErrorKind.unsupportedImage), ("other.gif", .unsupportedImage),
  ])
  func formats(name: String, kind: ErrorKind) throws {
    let request = GeminiTest.request(.edit, photo: try GeminiTest.photo(name))
    #expect {
      try body(request)
    } throws: { error in
      (error as? AtelierError)?.kind == kind && (error as? AtelierError)?.provider == .gemini
    }
    #expect(throws: AtelierError.self) { try body(GeminiTest.request(.edit, photo: [])) }
  }

  @Test("a request to Gemini carries the key in a header and nowhere else")
  func exchange() async throws {
    let stub = GeminiStub(.object(try GeminiTest.response()))
    let provider = GeminiProvider(http: stub, keys: GeminiKeys())
    _ = try await provider.makeImage(GeminiTest.request(timeoutMs: 60_001)) { _ in }
    let request = try #require(stub.requests.first)
    #expect(request.method == .post)
    #expect(
      request.url
        == "https://generativelanguage.googleapis.com/v1beta/models/gemini-nano-banana-2.1:generateContent")
    #expect(
      request.headers == [
        HTTPHeader("x-goog-api-key", GeminiTest.key), HTTPHeader("User-Agent", "atelier/\(Version.current)"),
        HTTPHeader("Content-Type", "application/json"), HTTPHeader("X-Server-Timeout", "61"),
      ])
    #expect(!String(decoding: request.body ?? [], as: UTF8.self).contains(GeminiTest.key))
    #expect(request.limits == HTTPLimits(total: .milliseconds(60_001), connect: .seconds(10), stall: .seconds(30)))
  }

  @Test("a request to Gemini tells the fraction that is really sent, and nothing after that but that it goes on")
  func progress() async throws {
    let told = Mutex<[ImageProgress]>([])
    let provider = GeminiProvider(http: GeminiStub(.object(try GeminiTest.response())), keys: GeminiKeys())
    let request = GeminiTest.request(.edit, photo: try GeminiTest.photo())
    _ = try await provider.makeImage(request) { progress in told.withLock { $0.append(progress) } }
    let all = told.withLock { $0 }
    #expect(all.map(\.phase) == [.uploading, .uploading, .processing])
    try #require(all.map(\.message) == ["Sending your photo…", "Sending your photo…", "Your picture is being made…"])
    #expect(try abs(#require(all[0].fraction) - 0.25) < 0.01)
    #expect(all[1].fraction == 1)
    #expect(all[2].fraction == nil)
  }
}

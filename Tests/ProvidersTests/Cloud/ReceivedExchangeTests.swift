import AtelierProtocol
import CurlHTTP
import Encodings
import JSON
import Testing

@testable import Providers

@Suite("An answer whose end is missing")
struct ReceivedExchangeTests {
  static let causes: [HTTPError.Cause] = [.truncated, .reset, .timedOut(.stall), .timedOut(.total)]

  private func broken(_ body: [UInt8], _ cause: HTTPError.Cause) -> ScriptedServer {
    let error = HTTPError(cause, mayHaveBeenSent: true, detail: "x")
    return ScriptedServer(ScriptedServer.Answer(body: body, pieces: [1, 500], errorAfterBody: error))
  }

  @Test("an answer whose end is missing is kept where the picture in it is whole", arguments: causes)
  func whole(cause: HTTPError.Cause) async throws {
    let picture = try OpenAITest.photo("plain.png")
    for body in [Array(try OpenAITest.answer().utf8), picture] {
      let provider = try OpenAITest.provider(broken(body, cause))
      #expect(try await provider.makeImage(OpenAITest.request()) { _ in }.bytes == picture)
    }
    let google = JSONValue.object(try GeminiTest.response()).serialized()
    let provider = GeminiProvider(http: broken(google, cause), keys: GeminiKeys())
    #expect(try await provider.makeImage(GeminiTest.request()) { _ in }.bytes == picture)
  }

  @Test("an answer that is cut off itself is told as what cut it off, and may have been charged", arguments: causes)
  func cutOff(cause: HTTPError.Cause) async throws {
    let expected = AtelierError(HTTPError(cause, mayHaveBeenSent: true, detail: "x"), provider: .openai)
    func check(_ error: AtelierError, _ comment: Comment) {
      #expect(error.kind == expected.kind && error.details == expected.details, comment)
      #expect(error.details["mayHaveBeenCharged"] == true, comment)
    }
    let google = JSONValue.object(try GeminiTest.response()).serialized()
    for length in [1, 30, 2000] {
      for body in [Array(try OpenAITest.answer().utf8), try OpenAITest.photo("plain.png")] {
        let provider = try OpenAITest.provider(broken(body.dropLast(length), cause))
        let error = try await #require(throws: AtelierError.self) {
          try await provider.makeImage(OpenAITest.request()) { _ in }
        }
        check(error, "\(length)")
      }
      let provider = GeminiProvider(http: broken(google.dropLast(length), cause), keys: GeminiKeys())
      let error = try await #require(throws: AtelierError.self) {
        try await provider.makeImage(GeminiTest.request()) { _ in }
      }
      check(error, "\(length)")
    }
  }

  @Test("an answer whose end is missing says what it says where it holds no picture")
  func refusal() async throws {
    let blocked = JSONValue.object(["promptFeedback": ["blockReason": "PROHIBITED_CONTENT"]]).serialized()
    let provider = GeminiProvider(http: broken(blocked, .truncated), keys: GeminiKeys())
    let error = try await #require(throws: AtelierError.self) { try await provider.makeImage(GeminiTest.request()) { _ in } }
    #expect(error.kind == .contentBlocked)
  }
}

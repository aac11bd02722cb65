import AtelierProtocol
import CurlHTTP
import Support
import Testing

@testable import Providers

@Suite("A provider's answer with hostile numbers")
struct HostileAnswerTests {
  private func usage(_ number: String) -> String {
    let names = [
      "promptTokenCount", "toolUsePromptTokenCount", "candidatesTokenCount", "thoughtsTokenCount", "totalTokenCount",
    ]
    let details = #"[{"modality":"IMAGE","tokenCount":\#(number)},{"modality":"TEXT","tokenCount":\#(number)}]"#
    return "{" + names.map { "\"\($0)\":\(number)," }.joined()
      + #""promptTokensDetails":\#(details),"candidatesTokensDetails":\#(details)}"#
  }

  @Test(
    "an answer of Gemini's with hostile numbers is a picture or an error, and counts what can be counted",
    arguments: HostileInput.numbers)
  func gemini(number: String) throws {
    let picture = try GeminiTest.response().filter { $0.key == "candidates" }[0].value.serializedText
    let model = try #require(GeminiModel(checking: "gemini-3-pro-image"))
    let answer = try GeminiTest.answer(
      Array(#"{"candidates":\#(picture),"usageMetadata":\#(usage(number)),"responseId":\#(number)}"#.utf8))
    let image = answer.image(asked: GeminiTest.request(), model: model, prices: .defaults)
    #expect(image.usage.inputTokens >= 0 && image.usage.outputTokens >= 0)
    #expect(image.usage.costUsd.map { $0.isFinite && $0 >= 0 } ?? true)
    for body in [
      #"{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":\#(number),"data":\#(number)}}]},"index":\#(number),"finishReason":\#(number)}]}"#,
      #"{"candidates":\#(number)}"#, number, "[\(number)]", #"{"error":\#(number)}"#,
      #"{"error":{"code":\#(number),"message":"x","status":\#(number),"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"\#(number)s"},{"retryDelay":\#(number)},{"violations":[{"quotaValue":"\#(number)"},{"quotaValue":\#(number)}]}]}}"#,
      #"{"error":{"code":429,"message":"Please retry in \#(number)s.","details":[{"retryDelay":"\#(number)s"}]}}"#,
    ] {
      for status in [200, 400, 429, 503] {
        let error = #expect(throws: AtelierError.self) { try GeminiTest.answer(Array(body.utf8), status: status) }
        #expect((0...86_400_000).contains(error?.retryAfterMs ?? 0), "\(body)")
      }
    }
  }

  @Test(
    "an answer of OpenAI's with hostile numbers is a picture or an error, and counts what can be counted",
    arguments: HostileInput.numbers)
  func openAI(number: String) async throws {
    let details = #"{"text_tokens":\#(number),"image_tokens":\#(number)}"#
    let usage =
      #","usage":{"input_tokens":\#(number),"output_tokens":\#(number),"total_tokens":\#(number),"#
      + #""input_tokens_details":\#(details),"output_tokens_details":\#(details)},"created":\#(number)"#
    let good = try OpenAITest.provider(ScriptedServer(.json(try OpenAITest.answer(more: usage))))
    let image = try await good.makeImage(OpenAITest.request()) { _ in }
    #expect(image.usage.inputTokens >= 0 && image.usage.outputTokens >= 0)
    #expect(image.usage.costUsd.map { $0.isFinite && $0 >= 0 } ?? true)
    let event = #"{"type":"image_generation.partial_image","partial_image_index":\#(number),"b64_json":\#(number)}"#
    let waits = ["retry-after", "retry-after-ms", "x-ratelimit-reset-requests", "x-ratelimit-reset-tokens"]
    for answer in [
      ScriptedServer.Answer.json(#"{"data":[{"b64_json":\#(number)}]}"#), .json(#"{"data":\#(number)}"#), .json(number),
      .json(#"{"error":{"code":\#(number),"message":"Please try again in \#(number)s.","status":\#(number)}}"#),
      .json(#"{"error":{"message":"x"},"status":\#(number)}"#, status: 400),
      .json(
        #"{"error":{"code":"rate_limit_exceeded","message":"x"}}"#, status: 429,
        headers: waits.map { HTTPHeader($0, number) }),
      ScriptedServer.Answer(
        headers: [HTTPHeader("Content-Type", "text/event-stream")],
        body: Array("event: image_generation.partial_image\ndata: \(event)\n\nretry: \(number)\nid: \(number)\n\n".utf8)),
    ] {
      let provider = try OpenAITest.provider(ScriptedServer(answer))
      let error = await #expect(throws: AtelierError.self) { try await provider.makeImage(OpenAITest.request()) { _ in } }
      #expect((0...86_400_000).contains(error?.retryAfterMs ?? 0))
    }
  }
}

import AtelierProtocol
import CurlHTTP
import Encodings
import JSON
import Testing

@testable import Providers

@Suite("An answer of another form than that of OpenAI's API")
struct OtherAnswerTests {
  /// The answer that has `value` at the end of a path.
  private static func json(at path: ArraySlice<Substring>, _ value: JSONValue) -> JSONValue {
    guard let step = path.first else { return value }
    let inner = json(at: path.dropFirst(), value)
    return step.hasSuffix("[]") ? .object([String(step.dropLast(2)): [inner]]) : .object([String(step): inner])
  }

  private static func answer(_ place: PicturePlaces.Place, _ text: String) -> JSONValue {
    json(at: place.path.split(separator: ".")[...], .string(text))
  }

  private func make(_ answers: ScriptedServer.Answer...) async throws -> ProviderImage {
    try await OpenAITest.provider(ScriptedServer(answers)).makeImage(OpenAITest.request()) { _ in }
  }

  @Test("a picture in an answer of another form is taken, because it was paid for", arguments: PicturePlaces.all.map(\.path))
  func places(path: String) async throws {
    let place = try #require(PicturePlaces.all.first { $0.path == path })
    let picture = try OpenAITest.photo("plain.png")
    let base64 = Base64.encoded(picture)
    for text in [base64, "data:image/png;base64,\(base64)", "Here it is: ![x](data:image/png;base64,\(base64)) Enjoy."] {
      let answer = Self.answer(place, text).serializedText
      for body in [answer, "[\(answer)]", "data: \(answer)\n\n", "data: \(answer)\n\ndata: [DONE]\n\n", "data: \(answer)"] {
        #expect(try await make(.json(body)).bytes == picture, "\(body.prefix(200))")
      }
    }
    let link = Self.answer(place, "https://api.openai.com/files/1.png").serializedText
    let followed = try? await make(.json(link), ScriptedServer.Answer(body: picture))
    #expect((followed?.bytes == picture) == place.takesLinks)
  }

  @Test("a place of a picture has nothing for words, and what a model only thinks of is no picture")
  func words() async throws {
    for place in PicturePlaces.all {
      for text in ["a lighthouse", "", "AAAA", "javascript:alert(1)"] {
        let error = try await RefusalDoor.generations.error(status: 200, body: Self.answer(place, text).serialized())
        #expect([.providerError, .noImageReturned].contains(error.kind), "\(place.path)")
      }
    }
    let base64 = Base64.encoded(try OpenAITest.photo("plain.png"))
    let thought: JSONValue = [
      "candidates": [["content": ["parts": [["thought": true, "inlineData": ["data": .string(base64)]]]]]]
    ]
    let error = try await RefusalDoor.generations.error(status: 200, body: thought.serialized())
    #expect(error.details["answer"] == "gemini_answer")
  }

  @Test("a picture alone is an answer", arguments: ["plain.png", "plain.jpg", "plain.webp"])
  func bare(name: String) async throws {
    let picture = try OpenAITest.photo(name)
    #expect(try await make(ScriptedServer.Answer(body: picture, pieces: [1, 10])).bytes == picture)
  }

  static let shapes: [(body: String, status: Int, shape: AnswerShape)] = [
    ("<!DOCTYPE html><title>Log in</title>", 200, .page), ("  <html></html>", 200, .page), ("Welcome!", 200, .words),
    ("hello", 200, .words), ("error: no such model", 200, .words),
    ("OK", 202, .words), ("[1]", 200, .list), ("[]", 200, .list), (#"{"object":"list","data":[{"id":"m"}]}"#, 200, .list),
    (#"{"models":[{"name":"models/x"}]}"#, 200, .list), (#"{"id":"1","status":"queued"}"#, 200, .task),
    (#"{"code":200,"data":[{"status":"submitted","task_id":"7"}]}"#, 200, .task),
    (#"{"data":[{"id":"1","state":"QUEUED"}]}"#, 200, .task), (#"{"task_id":"7"}"#, 200, .task),
    (#"{"output":{"task_id":"7","task_status":"PENDING"}}"#, 200, .task),
    (#"{"data":{"taskId":"7"},"code":200,"message":"success"}"#, 200, .task), (#"{"id":"1"}"#, 202, .task),
    (#"{"status":"IN_QUEUE","request_id":"1","status_url":"https://x"}"#, 200, .task),
    (#"{"object":"chat.completion","choices":[{"message":{"content":"Sorry."}}]}"#, 200, .chatCompletion),
    (#"{"choices":[{"text":"x"}]}"#, 200, .chatCompletion),
    (#"{"candidates":[{"content":{"parts":[{"text":"x"}]}}]}"#, 200, .geminiAnswer),
    (#"{"object":"response","output":[{"type":"message"}]}"#, 200, .responsesAnswer),
    (#"{"images":["hello"]}"#, 200, .otherPictures), (#"{"result":{"x":1}}"#, 200, .otherPictures),
  ]

  @Test("an answer of another form is told as what it is, and never worth another attempt", arguments: shapes.indices)
  func shape(index: Int) async throws {
    let (body, status, shape) = Self.shapes[index]
    let isJSON = body.hasPrefix("{")
    var bodies = [(RefusalDoor.generations, body), (.edits, body)]
    if isJSON { bodies += [(.generations, "data: \(body)\n\n"), (.generations, "data: \(body)\n\ndata: [DONE]\n\n")] }
    // A chat is what is asked for there, and an answer of Google's here.
    if shape != .chatCompletion { bodies.append((.chat, body)) }
    if shape != .geminiAnswer, body.first != "[" { bodies += [(.geminiImage, body), (.geminiWords, body)] }
    for (door, body) in bodies where !body.hasPrefix("data:") || status == 200 {
      let error = try await door.error(status: status, body: Array(body.utf8))
      #expect(error.kind == .providerError && error.details["answer"] == .string(shape.rawValue), "\(door) \(error)")
      #expect(error.details["mayHaveBeenCharged"] == true && !error.isRetryable && error.retryable == false, "\(door)")
      #expect(error.hint?.contains(shape.words) == true && error.hint?.contains("base URL") == true)
      #expect(!error.message.contains("again") && !error.message.contains("words"))
    }
  }

  @Test("an answer whose picture the safety rules kept back is a refusal, and not worth another attempt", arguments: [
    #"{"created":1,"data":[],"prompt_filter_results":[{"content_filter_results":{"sexual":{"filtered":true}}}]}"#,
    #"{"data":[{"b64_json":"","respect_moderation":false}]}"#, #"{"id":"1","status":"Request Moderated","result":null}"#,
    #"{"object":"chat.completion","choices":[{"message":{"content":""},"finish_reason":"content_filter"}]}"#,
    #"{"choices":[{"message":{"content":null,"refusal":"I cannot make that."},"finish_reason":"stop"}]}"#,
    #"{"artifacts":[{"finishReason":"CONTENT_FILTERED"}]}"#, #"{"candidates":[{"finishReason":"IMAGE_SAFETY"}]}"#,
    #"{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}}"#, #"{"predictions":[{"raiFilteredReason":"It was filtered."}]}"#,
    #"{"id":"1","status":"failed","error":"NSFW content detected. Try another prompt."}"#,
    #"{"id":"1","status":"failed","error":"The input or output was flagged as sensitive. (E005)"}"#,
    #"{"base_resp":{"status_code":1026,"status_msg":"refused"}}"#,
    #"{"data":[{"error":{"code":"OutputImageSensitiveContentDetected","message":"x"}}]}"#,
  ])
  func keptBack(body: String) async throws {
    for door in [RefusalDoor.generations, .edits, .geminiImage] {
      for body in door == .geminiImage ? [body] : [body, "data: \(body)\n\ndata: [DONE]\n\n"] {
        let error = try await door.error(status: 200, body: Array(body.utf8))
        #expect(error.kind == .contentBlocked && !error.isRetryable, "\(door) \(error)")
      }
    }
  }

  @Test("an answer that has an error among its choices has that error")
  func choices() async throws {
    let body = #"{"choices":[{"error":{"code":402,"message":"Insufficient credits"},"finish_reason":"error"}]}"#
    let error = try await RefusalDoor.generations.error(status: 200, body: Array(body.utf8))
    #expect(error.kind == .quotaExhausted && error.details["mayHaveBeenCharged"] == true)
  }

  @Test("every other form is among those that are tried")
  func allShapes() { #expect(Set(Self.shapes.map(\.shape)) == Set(AnswerShape.allCases)) }

  // MARK: The end of a stream

  @Test(
    "a whole last event is taken at the end of a stream without its empty line, and one that is cut off is not",
    arguments: ["\n", "\r\n", "\r"])
  func lastEvent(end: String) async throws {
    let picture = try OpenAITest.photo("plain.png")
    let json = #"{"type":"image_generation.completed","b64_json":"\#(Base64.encoded(picture))"}"#
    let begin = "event: image_generation.completed\(end)data: "
    for rest in ["", end, end + end, "\(end)id: 7", "\(end)\(end)data: [DONE]", "\(end)\(end): bye"] {
      #expect(try await make(.json(begin + json + rest)).bytes == picture, "\(rest.debugDescription)")
    }
    for length in [1, 2, 20, json.utf8.count / 2, json.utf8.count - 1] {
      let error = try await RefusalDoor.generations.error(status: 200, body: Array((begin + json.dropLast(length)).utf8))
      #expect(error.details["reason"] == "truncated" && error.details["mayHaveBeenCharged"] == true, "\(length)")
    }
    for cause in [HTTPError.Cause.truncated, .reset, .timedOut(.stall)] {
      func broken(_ text: some StringProtocol) -> ScriptedServer.Answer {
        ScriptedServer.Answer(
          body: Array(text.utf8), errorAfterBody: HTTPError(cause, mayHaveBeenSent: true, detail: "x"))
      }
      #expect(try await make(broken(begin + json)).bytes == picture)
      await #expect(throws: AtelierError.self) { try await make(broken((begin + json).dropLast(1))) }
    }
  }
}

import AtelierProtocol
import JSON
import Testing

@testable import Providers

@Suite("An answer of Gemini's without a picture")
struct GeminiRefusalTests {
  struct Reason: Sendable {
    var name: String
    var kind: ErrorKind
    var reason: String
    var retryable = true
    /// Something its sentence says.
    var words = ""
  }

  static let finishReasons: [Reason] = [
    Reason(name: "STOP", kind: .noImageReturned, reason: "no_image", words: "no image"),
    Reason(name: "FINISH_REASON_UNSPECIFIED", kind: .noImageReturned, reason: "no_image"),
    Reason(name: "NO_IMAGE", kind: .noImageReturned, reason: "no_image"),
    Reason(name: "SOMETHING_NEW", kind: .noImageReturned, reason: "no_image"),
    Reason(name: "IMAGE_SAFETY", kind: .contentBlocked, reason: "safety", retryable: false, words: "safety rules"),
    Reason(name: "IMAGE_PROHIBITED_CONTENT", kind: .contentBlocked, reason: "safety", retryable: false),
    Reason(name: "SAFETY", kind: .contentBlocked, reason: "safety", retryable: false),
    Reason(name: "PROHIBITED_CONTENT", kind: .contentBlocked, reason: "safety", retryable: false),
    Reason(name: "BLOCKLIST", kind: .contentBlocked, reason: "safety", retryable: false),
    Reason(name: "MODEL_ARMOR", kind: .contentBlocked, reason: "safety", retryable: false),
    Reason(
      name: "SPII", kind: .contentBlocked, reason: "personal_information", retryable: false, words: "personal data"),
    Reason(
      name: "IMAGE_RECITATION", kind: .contentBlocked, reason: "recitation", retryable: false, words: "other words"),
    Reason(name: "RECITATION", kind: .contentBlocked, reason: "recitation", retryable: false),
    Reason(name: "LANGUAGE", kind: .contentBlocked, reason: "language", retryable: false, words: "language"),
    Reason(name: "MAX_TOKENS", kind: .providerError, reason: "truncated", words: "stopped"),
    Reason(name: "IMAGE_OTHER", kind: .providerError, reason: "failed", words: "failed"),
    Reason(name: "OTHER", kind: .providerError, reason: "failed"),
    Reason(name: "MALFORMED_RESPONSE", kind: .providerError, reason: "failed"),
    Reason(name: "MALFORMED_FUNCTION_CALL", kind: .providerError, reason: "failed"),
    Reason(name: "UNEXPECTED_TOOL_CALL", kind: .providerError, reason: "failed"),
    Reason(name: "TOO_MANY_TOOL_CALLS", kind: .providerError, reason: "failed"),
    Reason(name: "CONTINUATION", kind: .providerError, reason: "unfinished"),
    Reason(
      name: "MISSING_THOUGHT_SIGNATURE", kind: .providerError, reason: "history_invalid", retryable: false,
      words: "start anew"),
    Reason(
      name: "ESCALATION", kind: .providerDenied, reason: "account_restricted", retryable: false, words: "restricted"),
    Reason(name: "PUP_LIMITED_DISABLED", kind: .providerDenied, reason: "account_restricted", retryable: false),
  ]

  @Test("an answer without a picture is told by its finish reason", arguments: finishReasons)
  func finish(reason: Reason) throws {
    let error = try GeminiTest.failure([
      "candidates": [
        [
          "content": ["parts": [["text": "I cannot\ndraw /home/ann/x.png that."], ["text": "Hm.", "thought": true]]],
          "finishReason": .string(reason.name), "finishMessage": "Try \(GeminiTest.key) again.",
        ]
      ], "usageMetadata": ["candidatesTokenCount": 5],
    ])
    #expect(error.kind == reason.kind)
    #expect(error.isRetryable == reason.retryable)
    #expect(error.provider == .gemini)
    #expect(error.forOperators.contains(reason.words) || reason.words.isEmpty, "\(error.message)")
    var details: JSONObject = [
      "reason": .string(reason.reason), "finishReason": .string(reason.name), "httpStatus": 200,
      "providerMessage": "Try … again.", "modelText": "I cannot draw … that.",
    ]
    if reason.kind != .contentBlocked, reason.kind != .providerDenied { details["mayHaveBeenCharged"] = true }
    var told = error.details
    told["hint"] = nil
    #expect(told == details)
  }

  @Test("an answer without a picture is told by why the prompt was blocked", arguments: [
    "SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY", "BLOCKED_REASON_UNSPECIFIED", "MODEL_ARMOR",
    "JAILBREAK", "SOMETHING_NEW",
  ])
  func blocked(reason: String) throws {
    let error = try GeminiTest.failure([
      "promptFeedback": ["blockReason": .string(reason)], "usageMetadata": ["promptTokenCount": 5],
    ])
    #expect(error.kind == .contentBlocked)
    #expect(error.sentence == ErrorKind.contentBlocked.sentence)
    #expect(error.details == ["reason": "prompt_blocked", "blockReason": .string(reason), "httpStatus": 200])
  }

  @Test("an answer without a picture is told although anything may be missing", arguments: [
    [:], ["candidates": nil], ["candidates": []], ["candidates": [[:]]], ["candidates": [["content": nil]]],
    ["candidates": [["content": [:]]]], ["candidates": [["content": ["parts": nil]]]],
    ["candidates": [["content": ["role": "model"], "finishReason": "STOP"]]],
    ["candidates": [["content": ["parts": [[:], 7, "text", nil]]]]], ["candidates": 7, "usageMetadata": "none"],
    ["candidates": [["content": ["parts": [["inlineData": 7]]], "finishReason": ["x"]]]],
    ["promptFeedback": ["blockReason": 7]], ["promptFeedback": [:]],
  ] as [JSONValue])
  func missing(json: JSONValue) throws {
    let error = try GeminiTest.failure(json)
    #expect(error.kind == .noImageReturned)
    #expect(error.details["mayHaveBeenCharged"] == true, "nothing was counted, so nobody knows")
  }

  @Test("an answer without a picture costs nothing when no token was counted")
  func free() throws {
    let error = try GeminiTest.failure(["usageMetadata": ["promptTokenCount": 5]])
    #expect(error.kind == .noImageReturned)
    #expect(error.details["mayHaveBeenCharged"] == nil)
  }

  @Test("an answer never shows an interim picture")
  func thought() throws {
    let part = try GeminiTest.response(part: ["thought": true])
    #expect(try GeminiTest.failure(.object(part)).kind == .noImageReturned)
  }

  @Test("an answer never shows a picture that was refused", arguments: ["IMAGE_SAFETY", "RECITATION", "ESCALATION"])
  func refusedPicture(reason: String) throws {
    var response = try GeminiTest.response()
    var candidate = try #require(response["candidates"]?[0]?.object)
    candidate["finishReason"] = .string(reason)
    response["candidates"] = [.object(candidate)]
    #expect(try GeminiTest.failure(.object(response)).details["finishReason"] == .string(reason))
  }

  @Test("an answer says what is wrong with the picture that came", arguments: [
    ("AAA*", "invalid_base64"), ("A", "invalid_base64"), ("", "not_a_picture"),
    ("VGhpcyBpcyBubyBwaWN0dXJlLg==", "not_a_picture"),
    ("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "unsupported_picture"),
    ("iVBORw0KGgo=", "incomplete_picture"), ("/9j/2Q==", "incomplete_picture"),
  ])
  func broken(data: String, reason: String) throws {
    let error = try GeminiTest.failure([
      "candidates": [["content": ["parts": [["inlineData": ["data": .string(data)]]]], "finishReason": "STOP"]],
      "usageMetadata": ["candidatesTokenCount": 0],
    ])
    #expect(error.kind == .providerError)
    #expect(error.details == ["reason": .string(reason), "httpStatus": 200, "mayHaveBeenCharged": true])
  }

  @Test("an answer says so when there is only a link")
  func link() throws {
    let error = try GeminiTest.failure([
      "candidates": [["content": ["parts": [["fileData": ["fileUri": "https://example.com/secret?key=abc"]]]]]]
    ])
    #expect(error.kind == .providerError)
    #expect(error.details["reason"] == "file_reference")
    #expect(!"\(error)".contains("example.com"))
  }

  @Test("a senseless answer is told as malformed", arguments: [
    "", " ", "null", "7", "[]", "[1]", "{\"candidates\":[",
    String(repeating: "[", count: 100_000), "\u{feff}{}", "{\"a\":1}x",
  ])
  func senseless(body: String) throws {
    let error = try GeminiTest.failure(Array(body.utf8), status: 200)
    #expect(error.kind == .providerError)
    #expect(error.details == ["reason": "malformed_response", "httpStatus": 200, "mayHaveBeenCharged": true])
  }
}

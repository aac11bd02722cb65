import AtelierProtocol
import CurlHTTP
import JSON
import Testing

@testable import Providers

@Suite("An error of Gemini's")
struct GeminiFailureTests {
  struct Row: Sendable {
    var status: Int
    var body: String
    var kind: ErrorKind
    var reason: String
    var retryable: Bool
    var retryAfterMs: Int?
    /// Something its sentence says.
    var words = ""
  }

  static func error(_ code: Int, _ status: String, _ message: String, _ details: String = "") -> String {
    let more = details.isEmpty ? "" : #","details":[\#(details)]"#
    return #"{"error":{"code":\#(code),"message":"\#(message)","status":"\#(status)"\#(more)}}"#
  }

  static let keyInvalid = #"""
    {"error":{"code":400,"message":"API key not valid. Please pass a valid API key.",
     "status":"INVALID_ARGUMENT","details":[
     {"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com",
     "metadata":{"service":"generativelanguage.googleapis.com"}},
     {"@type":"type.googleapis.com/google.rpc.LocalizedMessage","locale":"en-US",
     "message":"API key not valid. Please pass a valid API key."}]}}
    """#

  static func quota(
    _ violations: String, saying message: String = "You exceeded your current quota.", delay: String?
  ) -> String {
    let failure = #"{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[\#(violations)]}"#
    let help = #"{"@type":"type.googleapis.com/google.rpc.Help","links":[{"url":"https://example.com"}]}"#
    let retry = delay.map { #",{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"\#($0)"}"# } ?? ""
    return error(429, "RESOURCE_EXHAUSTED", message, "\(help),\(failure)\(retry)")
  }

  static func violation(_ id: String, value: String = "10") -> String {
    #"{"quotaMetric":"m","quotaId":"\#(id)","quotaDimensions":{"location":"global"},"quotaValue":"\#(value)"}"#
  }

  static let perMinute = violation("GenerateRequestsPerMinutePerProjectPerModel-FreeTier")
  static let perMinuteTokens = violation("GenerateContentInputTokensPerModelPerMinute-FreeTier", value: "250000")
  static let perDay = violation("GenerateRequestsPerDayPerProjectPerModel-FreeTier", value: "100")
  static let zero = violation("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", value: "0")

  static let rows: [Row] = [
    Row(
      status: 400, body: keyInvalid, kind: .invalidApiKey, reason: "api_key_invalid", retryable: false,
      words: "API key"),
    Row(
      status: 400, body: error(400, "INVALID_ARGUMENT", "API key expired. Please renew the API key."),
      kind: .invalidApiKey, reason: "api_key_invalid", retryable: false),
    Row(
      status: 400, body: error(400, "INVALID_ARGUMENT", "Unable to process input image."), kind: .invalidImage,
      reason: "invalid_argument", retryable: false, words: "Please check your image and try again"),
    Row(
      status: 400, body: error(400, "FAILED_PRECONDITION", "User location is not supported for the API use."),
      kind: .providerUnavailable, reason: "region", retryable: false, words: "another provider"),
    Row(
      status: 400,
      body: error(
        400, "FAILED_PRECONDITION",
        "User location is not supported for the API use without a billing account linked."),
      kind: .providerUnavailable, reason: "billing", retryable: false, words: "billing"),
    Row(
      status: 400, body: error(400, "FAILED_PRECONDITION", "Something else."), kind: .providerUnavailable,
      reason: "failed_precondition", retryable: false, words: "as it is set up"),
    Row(
      status: 400,
      body: error(
        400, "INVALID_ARGUMENT", "Image part is missing a thought_signature in content position 2, part position 1."),
      kind: .providerError, reason: "history_invalid", retryable: false, words: "start anew"),
    Row(status: 400, body: "<html>Bad</html>", kind: .providerError, reason: "unexpected_status", retryable: false),
    Row(
      status: 401, body: error(401, "UNAUTHENTICATED", "Request had invalid authentication credentials."),
      kind: .invalidApiKey, reason: "unauthenticated", retryable: false),
    Row(
      status: 403, body: error(403, "PERMISSION_DENIED", "The caller does not have permission"),
      kind: .providerDenied, reason: "permission_denied", retryable: false, words: "API key"),
    Row(
      status: 403,
      body: error(403, "PERMISSION_DENIED", "Denied, content policy.", #"{"reason":"CONSUMER_SUSPENDED"}"#),
      kind: .providerDenied, reason: "account_restricted", retryable: false, words: "restricted the account"),
    Row(
      status: 403, body: error(403, "PERMISSION_DENIED", "Permission denied: Consumer 'api_key:x' has been suspended."),
      kind: .providerDenied, reason: "account_restricted", retryable: false),
    Row(
      status: 404, body: error(404, "NOT_FOUND", "models/x is not found for API version v1beta"),
      kind: .providerUnavailable, reason: "model_not_found", retryable: false, words: "gemini-nano-banana-2.1"),
    Row(
      status: 404, body: "<html>404</html>", kind: .providerUnavailable, reason: "not_found", retryable: false,
      words: "base URL"),
    Row(status: 408, body: "", kind: .providerError, reason: "request_timeout", retryable: true),
    Row(status: 413, body: "<html>", kind: .imageTooLarge, reason: "request_too_large", retryable: false),
    Row(
      status: 499, body: error(499, "CANCELLED", "The operation was cancelled."), kind: .providerError,
      reason: "cancelled", retryable: true),
    Row(
      status: 500, body: error(500, "INTERNAL", "An internal error has occurred."), kind: .providerError,
      reason: "server_error", retryable: true, words: "temporarily unavailable"),
    Row(status: 500, body: "", kind: .providerError, reason: "server_error", retryable: true),
    Row(status: 502, body: "<html>502</html>", kind: .providerError, reason: "server_error", retryable: true),
    Row(
      status: 503, body: error(503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
      kind: .providerUnavailable, reason: "unavailable", retryable: true, words: "temporarily unavailable"),
    Row(
      status: 503, body: "[\(error(503, "UNAVAILABLE", "The model is overloaded. Please try again later."))]",
      kind: .providerUnavailable, reason: "unavailable", retryable: true),
    Row(
      status: 200, body: error(503, "UNAVAILABLE", "The model is overloaded."), kind: .providerUnavailable,
      reason: "unavailable", retryable: true),
    Row(
      status: 200, body: #"{"error":{"code":"429","message":"x"},"candidates":[]}"#, kind: .rateLimited,
      reason: "rate_limited", retryable: true),
    Row(
      status: 200, body: #"{"error":{"status":"UNAVAILABLE","code":"None"}}"#, kind: .providerUnavailable,
      reason: "unavailable", retryable: true),
    Row(status: 200, body: #"{"error":"x"}"#, kind: .providerError, reason: "server_error", retryable: true),
    Row(
      status: 504, body: error(504, "DEADLINE_EXCEEDED", "Deadline expired before operation could complete."),
      kind: .providerTimeout, reason: "deadline_exceeded", retryable: true, words: "too long"),
    Row(
      status: 418, body: error(418, "SOMETHING_NEW", "The request met a condition that is new."),
      kind: .providerError, reason: "unexpected_status", retryable: true),
    Row(
      status: 302, body: "", kind: .providerUnavailable, reason: "redirected", retryable: true, words: "log in"),
    Row(
      status: 200, body: #"{"error":{"code":503},"candidates":[{"index":0,"finishReason":"STOP","content":{"parts":[]}}]}"#,
      kind: .providerUnavailable, reason: "unavailable", retryable: true),
    Row(
      status: 200,
      body: #"{"error":{"code":429,"message":"x"},"candidates":[{"content":{"parts":[{"inlineData":{}},{"text":"…"}]}}]}"#,
      kind: .rateLimited, reason: "rate_limited", retryable: true),
    Row(
      status: 200, body: #"{"error":{"code":503},"candidates":[{"finishReason":"IMAGE_SAFETY"}]}"#, kind: .contentBlocked,
      reason: "safety", retryable: false),
    // 429, in the order of the questions.
    Row(
      status: 429, body: quota(perDay, saying: "limit: 0, model: gemini-2.5-flash-preview-image", delay: "26s"),
      kind: .quotaExhausted, reason: "quota_zero", retryable: false, words: "billing"),
    Row(
      status: 429, body: quota("\(perDay),\(zero),\(perMinuteTokens)", delay: "17.403283s"), kind: .quotaExhausted,
      reason: "quota_zero", retryable: false),
    Row(
      status: 429, body: quota(perMinute, saying: "limit: 0.5 and limit: 05, limit: 10", delay: nil),
      kind: .rateLimited, reason: "quota_minute", retryable: true),
    Row(
      status: 429, body: quota("\(perMinute),\(perDay)", delay: "36s"), kind: .quotaExhausted, reason: "quota_day",
      retryable: false, words: "tomorrow"),
    Row(
      status: 429, body: quota(perMinute.replacing("\"10\"", with: "0"), delay: "26s"), kind: .quotaExhausted,
      reason: "quota_zero", retryable: false, words: "billing"),
    Row(
      status: 429, body: error(429, "None", "Quota exceeded. Limit = 0, please retry in 26s."), kind: .quotaExhausted,
      reason: "quota_zero", retryable: false),
    Row(
      status: 429, body: quota(perMinuteTokens, delay: "26s"), kind: .rateLimited, reason: "quota_minute",
      retryable: true, retryAfterMs: 26_000, words: "wait 26 seconds"),
    Row(
      status: 429, body: quota(perMinute, delay: "45.837906927s"), kind: .rateLimited, reason: "quota_minute",
      retryable: true, retryAfterMs: 45_838, words: "wait 46 seconds"),
    Row(
      status: 429, body: quota(perMinute, saying: "Please retry in 45.57s.", delay: nil), kind: .rateLimited,
      reason: "quota_minute", retryable: true, retryAfterMs: 45_570),
    Row(
      status: 429, body: quota(perMinute, delay: "99999999999999s"), kind: .rateLimited, reason: "quota_minute",
      retryable: true, retryAfterMs: 86_400_000),
    Row(
      status: 429, body: quota(perMinute, delay: "-5s"), kind: .rateLimited, reason: "quota_minute", retryable: true),
    Row(
      status: 429, body: error(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
      kind: .rateLimited, reason: "rate_limited", retryable: true, words: "Please wait and try again"),
    Row(status: 429, body: "", kind: .rateLimited, reason: "rate_limited", retryable: true),
    Row(status: 429, body: "<html>", kind: .rateLimited, reason: "rate_limited", retryable: true),
  ]

  @Test("an error of Gemini's has its kind, its sentence and its facts", arguments: rows)
  func mapping(row: Row) throws {
    let error = try GeminiTest.failure(Array(row.body.utf8), status: row.status)
    #expect(error.kind == row.kind)
    #expect(error.details["reason"]?.string == row.reason)
    #expect(error.isRetryable == row.retryable)
    #expect(error.retryAfterMs == row.retryAfterMs)
    #expect(error.provider == .gemini)
    #expect(error.forOperators.contains(row.words) || row.words.isEmpty, "\(error.message)")
    #expect(error.message.hasSuffix("."))
    if row.status != 200 { #expect(error.details["httpStatus"]?.int64 == Int64(row.status)) }
    #expect((error.details["scope"] == "provider") == (row.kind == .rateLimited))
    #expect((error.details["mayHaveBeenCharged"] == true) == [408, 499, 504].contains(row.status))
    #expect(row.retryable || error.kind != .rateLimited)
  }

  @Test("an error in the place of an answer may have been charged where work was counted or came", arguments: [
    (#""candidates":[{"content":{"parts":[{"text":"…"}]}}],"usageMetadata":{"candidatesTokenCount":1290}"#, true),
    (#""usageMetadata":{"candidatesTokenCount":1290}"#, true),
    (#""candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"image/png","data":"!!"}}]}}]"#, true),
    (#""candidates":[{"content":{"parts":[{"inlineData":{"data":""}}]}}],"usageMetadata":{"candidatesTokenCount":0}"#,
      false),
    (#""usageMetadata":{"promptTokenCount":12}"#, false),
  ])
  func cost(rest: String, hasCost: Bool) throws {
    let body = #"{"error":{"code":503,"message":"busy"},\#(rest)}"#
    let error = try GeminiTest.failure(Array(body.utf8), status: 200)
    #expect((error.details["mayHaveBeenCharged"] == true) == hasCost)
  }

  @Test("an error of a quota is about the model that was asked, unless the quota is the key's for all of them", arguments: [
    (perMinute, "provider"), (perMinuteTokens, "provider"), (violation("GenerateRequestsPerMinutePerProject"), "key"),
    (violation("GenerateRequestsPerDayPerProject"), "key"), (perDay, nil), (violation(""), "provider"),
  ] as [(String, String?)])
  func scope(violation: String, scope: String?) throws {
    let error = try GeminiTest.failure(Array(Self.quota(violation, delay: nil).utf8), status: 429)
    #expect(error.details["scope"]?.string == scope)
  }

  @Test("an error of a plan without pictures says itself that no time helps")
  func zeroIsFinal() throws {
    let error = try GeminiTest.failure(Array(Self.quota(Self.zero, delay: "26s").utf8), status: 429)
    #expect(error.kind == .quotaExhausted && error.retryable == false && error.retryAfterMs == nil)
  }

  @Test("an error of Gemini's speaks of no picture where none was sent", arguments: [400, 413, 415, 422])
  func withoutPicture(status: Int) throws {
    for message in ["Request contains an invalid argument.", "Unable to process input image."] {
      let error = GeminiFailure(
        httpStatus: status, error: GeminiErrorBody(["error": ["message": .string(message), "status": "INVALID_ARGUMENT"]]),
        refusal: ServerRefusal(HTTPResponse(status: status, headers: [], body: [])),
        model: "gemini-nano-banana-2.1", hasPictures: false
      ).error(hiding: try GeminiTest.apiKey())
      #expect(![.invalidImage, .imageTooLarge, .unsupportedImage].contains(error.kind))
      #expect(!["your image", "picture", "photo"].contains(where: error.message.contains), "\(error.message)")
    }
  }

  @Test("an error of Gemini's is told in the provider's own words and names as well")
  func facts() throws {
    let key = try GeminiTest.failure(Array(Self.keyInvalid.utf8), status: 400)
    var told = key.details
    #expect(told["hint"]?.string?.contains("credentials set") == true)
    told["hint"] = nil
    #expect(
      told == [
        "reason": "api_key_invalid", "httpStatus": 400, "status": "INVALID_ARGUMENT",
        "providerReason": "API_KEY_INVALID",
        "providerMessage": "API key not valid. Please pass a valid API key.",
      ])
    let quota = try GeminiTest.failure(Array(Self.quota(Self.perDay, delay: "36s").utf8), status: 429)
    #expect(quota.details["quotaId"] == "GenerateRequestsPerDayPerProjectPerModel-FreeTier")
    let model = try GeminiTest.failure(Array(Self.error(404, "NOT_FOUND", "models/x").utf8), status: 404)
    #expect(model.details["model"] == "gemini-nano-banana-2.1")
    let large = try GeminiTest.failure([], status: 413)
    #expect(large.details["bytes"] == 1234)
    let strange = try GeminiTest.failure(Array(Self.error(500, "a b/c", "").utf8), status: 500)
    #expect(strange.details == ["reason": "server_error", "httpStatus": 500])
  }

  @Test(
    "an error of a daily quota says when its day ends, by the server's clock, whatever delay stands beside it",
    arguments: [
      ("Sat, 21 Nov 2026 07:00:00 GMT", 3_600_000), ("Sat, 21 Nov 2026 08:00:00 GMT", 86_400_000),
      ("Sat, 21 Nov 2026 20:30:00 GMT", 41_400_000), ("today", nil), (nil, nil),
    ] as [(String?, Int?)])
  func day(date: String?, milliseconds: Int?) throws {
    let body = try JSONValue(parsing: Array(Self.quota(Self.perDay, saying: "Retry in 33s.", delay: "33s").utf8))
    let headers = [HTTPHeader("Retry-After", "33")] + (date.map { [HTTPHeader("date", $0)] } ?? [])
    let refusal = ServerRefusal(HTTPResponse(status: 429, headers: headers, body: []))
    let quota = GeminiQuota(GeminiErrorBody(try #require(body.object)), beside: refusal)
    #expect(quota.scope == .day)
    #expect(quota.error(hiding: try GeminiTest.apiKey()).retryAfterMs == milliseconds)
  }

  @Test("an error heeds a Retry-After from something between", arguments: [
    ("120", 120_000 as Int?), ("0", 0), ("Wed, 21 Oct 2026 07:28:00 GMT", nil), ("-1", nil), ("", nil),
  ])
  func retryAfter(value: String, milliseconds: Int?) {
    let refusal = ServerRefusal(HTTPResponse(status: 429, headers: [HTTPHeader("Retry-After", value)], body: []))
    #expect(GeminiQuota(nil, beside: refusal).retryDelay?.milliseconds == milliseconds)
  }

  @Test("an error never tells the key, whatever the provider repeats", arguments: rows)
  func secrecy(row: Row) throws {
    let key = GeminiTest.key
    for repeated in [key, "key=\(key)&x", "https://h/?key=\(key)", "(\(key.dropLast(3))", String(key.suffix(20))] {
      let bodies = [
        row.body.replacing("message\":\"", with: "message\":\"\(repeated) "),
        row.body.replacing("status\":\"", with: "status\":\"\(repeated)"),
        row.body.replacing("reason\":\"", with: "reason\":\"\(repeated)"),
        row.body.replacing("quotaId\":\"", with: "quotaId\":\"\(repeated)"), repeated, "\"\(repeated)\"",
      ]
      for body in bodies {
        let error = try GeminiTest.failure(Array(body.utf8), status: row.status)
        var dumped = ""
        dump(error, to: &dumped)
        let details = JSONValue.object(error.details).serializedText
        for told in ["\(error)", String(reflecting: error), dumped, error.message, details] {
          #expect(!told.contains(key.dropFirst(12).prefix(12)), "\(told)")
        }
      }
    }
  }
}

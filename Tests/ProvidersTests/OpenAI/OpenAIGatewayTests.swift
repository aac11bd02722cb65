import AtelierProtocol
import CurlHTTP
import JSON
import Testing

@testable import Providers

@Suite("A refusal in words that somebody else chose")
struct OpenAIGatewayTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var status: Int
    var body: String
    var kind: ErrorKind
    var reason: String
    /// A part of the sentence; nil expects the kind's own.
    var says: String?
    var headers: [String: String] = [:]
    var retryAfterMs: Int?
    var isRetryable: Bool?

    var testDescription: String { "\(status) \(headers) \(body.prefix(160))" }
  }

  private static func row(
    _ status: Int, _ body: String, _ kind: ErrorKind, _ reason: String, says: String? = nil,
    headers: [String: String] = [:], retryAfterMs: Int? = nil, isRetryable: Bool? = nil
  ) -> Row {
    Row(
      status: status, body: body, kind: kind, reason: reason, says: says, headers: headers, retryAfterMs: retryAfterMs,
      isRetryable: isRetryable)
  }

  private static let azure =
    "Your resource has been temporarily blocked because we detected behavior that may violate our content policy."

  /// An account that is blocked is no prompt that is blocked, whatever the sentence mentions.
  static let accounts = [
    row(
      403, #"{"error":{"code":"Forbidden","message":"\#(azure)"}}"#, .providerDenied, "account_restricted",
      says: "blocked the account"),
    row(429, #"{"error":{"code":"429","message":"\#(azure)"}}"#, .providerDenied, "account_restricted", says: "notices"),
    row(
      400, #"{"error":"Forbidden","message":"{\"error\":{\"code\":\"Forbidden\",\"message\":\"\#(azure)\"}}"}"#,
      .providerDenied, "account_restricted", says: "blocked the account"),
    row(
      401, #"{"error":{"message":"Your account was deactivated: content policy.","code":"account_deactivated"}}"#,
      .providerDenied, "account_restricted", says: "blocked the account"),
    row(
      403, #"{"error":{"message":"Your access was terminated, see our content policy.","type":"access_terminated"}}"#,
      .providerDenied, "account_restricted", says: "blocked the account"),
    row(
      400, #"{"error":{"message":"Organization has been disabled (content policy)"}}"#, .providerDenied,
      "account_restricted", says: "account"),
    row(401, #"{"error":{"message":"Refused under our content policy."}}"#, .invalidApiKey, "api_key_invalid"),
    row(429, #"{"error":{"message":"Slow down, see our content policy."}}"#, .rateLimited, "rate_limited"),
    row(
      403, #"{"error":{"message":"This key may not be used, see our content policy."}}"#, .providerDenied,
      "permission_denied", says: "permissions"),
  ]

  /// A prompt that is blocked, known by codes before words.
  static let prompts = [
    row(
      400,
      #"{"error":{"message":"Blocked. Repeated violations: your account has been and may be suspended.","type":"None","param":"None","code":"content_policy_violation"}}"#,
      .contentBlocked, "blocked"),
    row(
      400,
      #"{"error":{"message":"Violates our content policy. Repeated violations may result in your account being suspended."}}"#,
      .contentBlocked, "blocked"),
    row(
      400,
      #"{"error":{"code":"contentFilter","message":"x","inner_error":{"code":"ResponsibleAIPolicyViolation","content_filter_result":{}}}}"#,
      .contentBlocked, "blocked"),
    row(
      400,
      #"{"error":{"message":"litellm.ContentPolicyViolationError: filtered","type":null,"param":null,"code":"400","provider_specific_fields":{"innererror":{"code":"ResponsibleAIPolicyViolation"}}}}"#,
      .contentBlocked, "blocked"),
    row(
      403, #"{"error":{"code":403,"message":"Your input was flagged","metadata":{"reasons":["x"],"flagged_input":"…"}}}"#,
      .contentBlocked, "blocked"),
    row(
      400,
      #"{"error":{"message":"litellm.BadRequestError: {\"error\":{\"code\":\"moderation_blocked\",\"message\":\"no\"}}"}}"#,
      .contentBlocked, "blocked"),
    row(403, #"{"detail":"The picture violates the content policy."}"#, .contentBlocked, "blocked"),
  ]

  /// What codes, a status or a delay say is not taken back by words that speak of a blocked account.
  static let codes = [
    row(400, #"{"error":{"message":"\#(blocked)","code":"moderation_blocked"}}"#, .contentBlocked, "blocked"),
    row(403, #"{"error":{"message":"\#(blocked)","type":"Content_Policy_Violation"}}"#, .contentBlocked, "blocked"),
    row(
      500, #"{"error":{"message":"\#(blocked)","innererror":{"code":"ResponsibleAIPolicyViolation"}}}"#, .contentBlocked,
      "blocked"),
    row(401, #"{"error":{"message":"\#(blocked)","code":"invalid_api_key"}}"#, .invalidApiKey, "api_key_invalid"),
    row(
      400, #"{"error":{"message":"\#(blocked)","details":[{"code":"invalid_api_key"}]}}"#, .invalidApiKey,
      "api_key_invalid"),
    row(401, #"{"error":{"message":"This API key has been revoked."}}"#, .invalidApiKey, "api_key_invalid"),
    row(
      429, #"{"error":{"message":"\#(blocked)"}}"#, .rateLimited, "rate_limited", says: "wait 20 seconds",
      headers: ["Retry-After": "20"], retryAfterMs: 20_000),
    row(
      429, #"{"error":{"message":"Your account has been restricted. Try again in 20s."}}"#, .rateLimited, "rate_limited",
      says: "wait 20 seconds", retryAfterMs: 20_000),
    row(429, #"{"error":{"message":"\#(blocked)","code":"rate_limit_exceeded"}}"#, .rateLimited, "rate_limited"),
    row(
      402, #"{"error":{"message":"\#(blocked)"}}"#, .quotaExhausted, "insufficient_quota", says: "no credit left",
      isRetryable: false),
    row(
      429, #"{"error":{"message":"\#(blocked)","code":"insufficient_quota"}}"#, .quotaExhausted, "insufficient_quota",
      says: "no credit left", isRetryable: false),
    row(
      404, #"{"error":{"message":"\#(blocked)"}}"#, .providerUnavailable, "not_found", says: "base URL", isRetryable: false),
    row(
      403, #"{"error":{"message":"Access to this API has been blocked."}}"#, .providerDenied, "permission_denied",
      says: "permissions"),
    row(
      403, #"{"error":{"message":"The service is disabled for this project, it is restricted."}}"#, .providerDenied,
      "permission_denied", says: "permissions"),
    row(
      403, #"{"error":{"message":"OpenAI API error: your account has been suspended"}}"#, .providerDenied,
      "account_restricted", says: "blocked the account"),
    row(429, #"{"error":{"message":"\#(blocked)"}}"#, .providerDenied, "account_restricted", says: "notices"),
    row(503, #"{"error":{"message":"\#(blocked)"}}"#, .providerUnavailable, "unavailable"),
    row(500, #"{"error":{"message":"busy","param":"model"}}"#, .providerError, "server_error"),
  ]

  private static let blocked = "Your account has been blocked and access to it is restricted."

  /// A plan that has none of it, and limits that time restores.
  static let limits = [
    row(
      429,
      #"{"error":{"message":"Rate limit reached for gpt-image-2 on images per min (IPM): Limit 0, Used 0, Requested 1.","type":"images","code":"rate_limit_exceeded"}}"#,
      .quotaExhausted, "quota_zero", says: "plan", isRetryable: false),
    row(
      429,
      #"{"error":{"message":"on requests per min. Limit: 0.000000 / min. Current: 1.000000 / min. Please try again in 20s."}}"#,
      .quotaExhausted, "quota_zero", says: "plan", isRetryable: false),
    row(
      429, "", .quotaExhausted, "quota_zero", says: "plan", headers: ["X-RateLimit-Limit-Images": "0"], isRetryable: false),
    row(
      429,
      #"[{"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaId":"GenerateRequestsPerDay","quotaValue":0}]}]}}]"#,
      .quotaExhausted, "quota_zero", says: "plan", isRetryable: false),
    row(
      429,
      #"[{"error":{"code":429,"message":"Please retry in 33s.","status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaId":"GenerateRequestsPerDay","quotaValue":"50"}]},{"retryDelay":"33s"}]}}]"#,
      .quotaExhausted, "quota_day", says: "tomorrow", headers: ["Retry-After": "33"]),
    row(
      429, #"{"error":{"message":"Rate limit reached on requests per day (RPD): Limit 200, Used 200."}}"#, .quotaExhausted,
      "quota_day", says: "tomorrow"),
    row(
      429,
      #"{"error":{"message":"Rate limit reached on requests per day (RPD): Limit 200, Used 200. Please try again in 7m12s."}}"#,
      .quotaExhausted, "quota_day", says: "wait until it lets more through", retryAfterMs: 432_000, isRetryable: true),
    row(
      429, #"{"error":{"message":"Limit 0.5, limit: 05, limit 10, limit: 0/50, 0 left; remaining limit: 0"}}"#, .rateLimited,
      "rate_limited"),
    row(429, #"{"error":{"message":"Token limit 0 tokens left"}}"#, .rateLimited, "rate_limited"),
    row(
      429, "", .rateLimited, "rate_limited",
      headers: ["x-ratelimit-remaining-tokens": "0", "x-ratelimit-limit-tokens": "50"]),
    row(
      429, "", .quotaExhausted, "quota_zero", says: "plan", headers: ["x-ratelimit-limit-tokens": "0"], isRetryable: false),
    row(
      429, "", .quotaExhausted, "quota_zero", says: "plan", headers: ["x-ratelimit-limit-requests": "0, 0;w=60"],
      isRetryable: false),
    row(429, "", .quotaExhausted, "quota_zero", says: "plan", headers: ["X-RateLimit-Limit": "0.0"], isRetryable: false),
    row(
      429, "", .rateLimited, "rate_limited",
      headers: ["x-ratelimit-limit-requests": "", "x-ratelimit-limit-images": "none"]),
    row(
      429,
      #"{"error":{"message":"Limit reached on requests per min (RPM): Limit 5. Your daily limit is 200. Try again in 12s."}}"#,
      .rateLimited, "rate_limited", says: "wait 12 seconds", retryAfterMs: 12_000),
    row(
      429, #"{"error":{"message":"Please slow down and try again after 51.84 seconds."}}"#, .rateLimited, "rate_limited",
      says: "wait 52 seconds", retryAfterMs: 51_840),
    row(
      400, #"{"error":{"type":"None","code":"insufficient_quota","message":"None"}}"#, .quotaExhausted, "insufficient_quota",
      says: "no credit left", isRetryable: false),
    row(
      500, #"{"error":"{\"error\":{\"code\":\"insufficient_quota\"}}"}"#, .quotaExhausted, "insufficient_quota",
      says: "no credit left", isRetryable: false),
  ]

  /// What is not known keeps the meaning of its status.
  static let unknown = [
    row(
      400, #"{"error":{"message":"None","type":"None","param":"None","code":"None"}}"#, .wrongRecipeInput,
      "invalid_argument", says: "did not accept"),
    row(500, #"{"error":{"message":"null","type":"","param":null,"code":500}}"#, .providerError, "server_error"),
    row(429, #"{"error":{"code":"1302","message":"您的账户已达到速率限制，请您控制请求频率"}}"#, .rateLimited, "rate_limited"),
    row(503, "<!DOCTYPE html><title>Ihr Konto ist gesperrt</title>", .providerUnavailable, "unavailable"),
    row(200, #"[{"error":{"code":"429","message":"x"}}]"#, .rateLimited, "rate_limited"),
    row(200, #"{"errors":[{"message":"x","status":"UNAVAILABLE"}]}"#, .providerUnavailable, "unavailable"),
    row(200, #"{"error":{"message":"x","code":"None","status":"503"}}"#, .providerUnavailable, "unavailable"),
    row(200, #"{"detail":{"error":{"type":"rate_limit_error"}}}"#, .rateLimited, "rate_limited"),
    // An error beside the shell of a picture.
    row(200, #"{"data":[],"error":{"code":429,"message":"x"}}"#, .rateLimited, "rate_limited"),
    row(200, #"{"data":[{"b64_json":"","url":null}],"error":{"code":503}}"#, .providerUnavailable, "unavailable"),
    row(200, #"{"data":[{"b64_json":"None"},{}],"detail":{"code":"moderation_blocked"}}"#, .contentBlocked, "blocked"),
    row(200, #"{"data":[{"error":{"code":"moderation_blocked","message":"x"}}]}"#, .contentBlocked, "blocked"),
    row(200, #"{"data":{"error":{"code":429,"message":"x"}}}"#, .rateLimited, "rate_limited"),
    row(200, #"[{"data":null,"errors":["x"]},{"error":{"code":429}}]"#, .providerError, "server_error"),
    row(200, #"{"error":{"code":429,"message":"x"},"url":"https://help.example/errors/429"}"#, .rateLimited, "rate_limited"),
    // What an answer says that may have been paid for is no objection to a field.
    row(
      200, #"{"error":{"message":"Unknown parameter: 'stream'.","param":"stream","code":400}}"#, .wrongRecipeInput,
      "invalid_argument", says: "did not accept"),
  ]

  @Test("a refusal has the meaning of its codes, then of its status, and of its words only in the end",
    arguments: accounts + prompts + codes + limits + unknown)
  func table(row: Row) async throws {
    let headers = row.headers.map { HTTPHeader($0.key, $0.value) }
    let server = ScriptedServer(.json(row.body, status: row.status, headers: headers))
    let provider = try OpenAITest.provider(server)
    let error = try await #require(throws: AtelierError.self) {
      try await provider.makeImage(OpenAITest.request()) { _ in }
    }
    #expect(error.kind == row.kind)
    #expect(error.details["reason"]?.string == row.reason)
    #expect(error.forOperators.contains(row.says ?? row.kind.sentence.text), "\(error.message)")
    #expect(error.retryAfterMs == row.retryAfterMs)
    #expect(error.isRetryable == row.isRetryable ?? row.kind.isRetryable)
    for name in ["providerMessage", "providerCode", "providerType", "providerParam"] {
      #expect(!["None", "null", "N/A"].contains(error.details[name]?.string ?? ""))
    }
    #expect(server.requests.value.count == 1)
  }

  @Test("a refusal is not read as JSON where a text in it holds more values than any error has")
  func values() {
    func failure(_ count: Int) -> ServerRefusal {
      let inner = #"{"error":{"code":"moderation_blocked","values":["# + String(repeating: "0,", count: count) + "0]}}"
      let body: JSONValue = ["error": ["message": .string("x: \(inner)")]]
      return ServerRefusal(HTTPResponse(status: 400, headers: [], body: body.serialized()))
    }
    #expect(failure(9000).names.contains("moderation_blocked"))
    #expect(failure(10_000).names.isEmpty)
    #expect(failure(2_000_000).message.count <= 8192)
  }

  @Test("a refusal of nothing but nested values ends", arguments: ["[", #"{"error":"#])
  func nesting(opening: String) {
    let closing = opening == "[" ? "]" : "}"
    let body = String(repeating: opening, count: 60) + #""account has been blocked""# + String(repeating: closing, count: 60)
    let failure = ServerRefusal(HTTPResponse(status: 400, headers: [], body: Array(body.utf8)))
    #expect(failure.status == 400)
  }
}

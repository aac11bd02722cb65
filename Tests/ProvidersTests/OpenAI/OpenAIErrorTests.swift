import AtelierProtocol
import CurlHTTP
import JSON
import Testing

@testable import Providers

@Suite("What a refusal of OpenAI's API, or of a server like it, becomes")
struct OpenAIErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var status: Int
    var body: String
    var kind: ErrorKind
    /// A part of the sentence; nil expects the kind's own.
    var says: String?
    var hasPhoto = false
    var isRetryable: Bool?
    var details: JSONObject = [:]

    var testDescription: String { "\(status) \(body.prefix(90))" }

    init(
      _ status: Int, _ body: String, _ kind: ErrorKind, says: String? = nil, hasPhoto: Bool = false,
      isRetryable: Bool? = nil, details: JSONObject = [:]
    ) {
      (self.status, self.body, self.kind, self.says) = (status, body, kind, says)
      (self.hasPhoto, self.isRetryable, self.details) = (hasPhoto, isRetryable, details)
    }
  }

  private static func error(
    _ message: String, type: String = "invalid_request_error", param: String? = nil, code: String? = nil
  ) -> String {
    let error: JSONValue = [
      "error": [
        "message": .string(message), "type": .string(type), "param": param.map(JSONValue.string) ?? nil,
        "code": code.map(JSONValue.string) ?? nil,
      ]
    ]
    return error.serializedText
  }

  private static let safety =
    "Your request was rejected by the safety system. If you believe this is an error, contact us at help.openai.com."

  static let keysAndModels: [Case] = [
    Case(
      401, error("Incorrect API key provided: sk-proj-*****Gh1.", code: "invalid_api_key"), .invalidApiKey,
      details: [
        "httpStatus": 401, "reason": "api_key_invalid", "providerCode": "invalid_api_key",
        "providerType": "invalid_request_error",
      ]),
    Case(401, "", .invalidApiKey),
    Case(401, #"{"detail":"Unauthorized"}"#, .invalidApiKey, details: ["providerMessage": "Unauthorized"]),
    Case(400, error("Bad key.", code: "invalid_api_key"), .invalidApiKey),
    Case(
      403, error("Your organization must be verified to use the model `gpt-image-2`."), .providerDenied,
      says: "does not let the API key use the model “gpt-image-2”"),
    Case(
      403, error("Country not supported", code: "unsupported_country_region_territory"), .providerDenied,
      says: "country or region"),
    Case(403, "<html><body>Forbidden</body></html>", .providerDenied, says: "permissions"),
    Case(
      404, error("The model 'gpt-image-2' does not exist.", param: "model", code: "model_not_found"),
      .providerUnavailable, says: "the model “gpt-image-2”", isRetryable: false),
    Case(
      400, error("The model `gpt-image-2` does not exist.", param: "model", code: "invalid_value"),
      .providerUnavailable, says: "the model “gpt-image-2”", isRetryable: false),
    Case(404, #"{"detail":"Not Found"}"#, .providerUnavailable, says: "base URL", isRetryable: false),
    Case(404, "<html>nginx</html>", .providerUnavailable, says: "base URL", isRetryable: false),
    Case(405, #"{"detail":"Method Not Allowed"}"#, .providerUnavailable, says: "base URL", isRetryable: false),
    Case(301, "", .providerUnavailable, says: "redirects to another one", isRetryable: false),
  ]

  static let requests: [Case] = [
    Case(
      400, error(safety, type: "image_generation_user_error", code: "moderation_blocked"), .contentBlocked,
      details: ["providerCode": "moderation_blocked"]),
    Case(400, error("x", code: "content_policy_violation"), .contentBlocked, hasPhoto: true),
    Case(400, error(safety), .contentBlocked),
    Case(422, #"{"detail":"The prompt violates our content policy."}"#, .contentBlocked),
    Case(400, error("Invalid image file or mode for image.", param: "image"), .invalidImage, hasPhoto: true),
    Case(400, error("Invalid image.", code: "invalid_image_file"), .invalidImage, hasPhoto: true),
    Case(
      422, #"{"detail":[{"loc":["body","image"],"msg":"Bad picture","type":"value_error"}]}"#, .invalidImage,
      hasPhoto: true),
    Case(400, error("Something is wrong."), .invalidImage, hasPhoto: true),
    Case(400, "", .invalidImage, hasPhoto: true),
    Case(409, error("Conflict."), .invalidImage, hasPhoto: true),
    Case(400, error("Something is wrong."), .wrongRecipeInput, says: "did not accept"),
    Case(422, "[]", .wrongRecipeInput, says: "did not accept"),
    Case(
      400, error("Invalid value: '17x17'.", param: "size", code: "invalid_value"), .unsupportedByProvider,
      says: "size or shape", details: ["providerParam": "size"]),
    Case(
      422, #"{"detail":[{"loc":["body","size"],"msg":"Input should be a valid string","type":"string_type"}]}"#,
      .unsupportedByProvider, says: "size or shape",
      details: ["providerParam": "size", "providerMessage": "Input should be a valid string"]),
    Case(
      400, error("string too long", param: "prompt", code: "string_above_max_length"), .wrongRecipeInput,
      says: "this prompt"),
    Case(
      400, #"{"detail":"The requested model does not support image edits."}"#, .unsupportedByProvider,
      says: "another model", hasPhoto: true),
    Case(
      400, error("too large", param: "image", code: "file_too_large"), .imageTooLarge, says: "large", hasPhoto: true),
    Case(413, "<html>Request Entity Too Large</html>", .imageTooLarge, says: "large", hasPhoto: true),
    Case(
      400, error("unsupported mimetype", param: "image", code: "unsupported_file_mimetype"), .unsupportedImage,
      says: "JPEG", hasPhoto: true),
    Case(415, "", .unsupportedImage, says: "JPEG", hasPhoto: true),
    Case(413, "<html>Request Entity Too Large</html>", .wrongRecipeInput, says: "fewer words"),
    Case(415, "", .wrongRecipeInput, says: "check what you asked for"),
    Case(400, error("Unsupported.", code: "unsupported_file_type"), .wrongRecipeInput, says: "check what you asked for"),
  ]

  static let limits: [Case] = [
    Case(
      429, error("You exceeded your current quota.", type: "insufficient_quota", code: "insufficient_quota"),
      .quotaExhausted, says: "no credit left"),
    Case(
      400, error("Billing hard limit has been reached", code: "billing_hard_limit_reached"), .quotaExhausted,
      says: "spending limit"),
    Case(402, #"{"error":{"message":"Insufficient credits"}}"#, .quotaExhausted, says: "add credit"),
    Case(
      429, error("Rate limit reached on requests per day (RPD): Limit 500", code: "rate_limit_exceeded"),
      .quotaExhausted, says: "today"),
    Case(429, error("Slow down.", code: "rate_limit_exceeded"), .rateLimited),
    Case(429, #"{"error":"queue full"}"#, .rateLimited, details: ["providerMessage": "queue full"]),
    Case(429, "", .rateLimited),
  ]

  static let servers: [Case] = [
    Case(500, error("The server had an error.", type: "server_error"), .providerError),
    Case(500, #"{"error":"generation failed"}"#, .providerError, details: ["providerMessage": "generation failed"]),
    Case(502, "<html>Bad Gateway</html>", .providerError, details: ["httpStatus": 502, "reason": "server_error"]),
    Case(503, error("The engine is currently overloaded.", type: "server_error"), .providerUnavailable),
    Case(529, "", .providerUnavailable),
    Case(504, "upstream timed out", .providerTimeout, details: ["mayHaveBeenCharged": true]),
    Case(524, "", .providerTimeout),
    Case(408, "", .providerTimeout),
    Case(500, #"{"error":{"message":7,"code":[1],"type":{}}}"#, .providerError),
    Case(599, "\u{0}\u{1}", .providerError),
    Case(
      501, #"{"message":"not implemented","type":"x","code":"y"}"#, .providerUnavailable, says: "base URL",
      isRetryable: false),
  ]

  @Test("a refusal has its kind, one sentence to act on, and what the server said in its details",
    arguments: keysAndModels + requests + limits + servers)
  func table(_ test: Case) async throws {
    let headers = [HTTPHeader("X-Request-ID", "req_123")]
    let server = ScriptedServer(.json(test.body, status: test.status, headers: headers))
    let photo = test.hasPhoto ? try OpenAITest.photo() : nil
    let error = try await failure(server, OpenAITest.request(test.hasPhoto ? .edit : .create, photo: photo))
    #expect(error.kind == test.kind)
    #expect(error.provider == .openai)
    if let says = test.says {
      #expect(error.forOperators.contains(says))
    } else {
      #expect(error.sentence == test.kind.sentence)
    }
    #expect(error.message.hasSuffix("."))
    #expect(error.isRetryable == test.isRetryable ?? test.kind.isRetryable)
    #expect(error.details["providerRequestId"] == "req_123")
    for (name, value) in test.details { #expect(error.details[name] == value, "\(name)") }
    #expect((error.details["mayHaveBeenCharged"] == true) == [408, 499, 504, 524].contains(test.status))
    #expect(server.requests.value.count == 1)
  }

  @Test(
    "a refusal tells how long to wait",
    arguments: [
      ([("Retry-After", "12")], "", 12_000), ([("retry-after", "0.5")], "", 500), ([("Retry-After", "0")], "", 0),
      ([("Retry-After-Ms", "1500"), ("Retry-After", "9")], "", 1500),
      (
        [("Retry-After", "Sat, 21 Nov 2026 05:27:30 GMT"), ("Date", "Sat, 21 Nov 2026 05:26:00 GMT")], "", 90_000
      ),
      ([("Retry-After", "Sat, 21 Nov 2026 05:26:00 GMT"), ("Date", "Sat, 21 Nov 2026 05:27:00 GMT")], "", 0),
      ([("Retry-After", "Sat, 21 Nov 2020 05:26:00 GMT")], "", nil), ([("Retry-After", "soon")], "", nil),
      ([("Retry-After", "Fri, 21 Nov 2098 05:26:00 GMT")], "", 86_400_000),
      ([("Retry-After", "4066615560")], "", 86_400_000),
      ([("Retry-After", "Saturday, 21-Nov-26 05:27:30 GMT"), ("Date", "Sat, 21 Nov 2026 05:26:00 GMT")], "", 90_000),
      ([("Retry-After", "Sat Nov 21 05:27:30 2026"), ("Date", "Saturday, 21-Nov-26 05:26:00 GMT")], "", 90_000),
      ([("Retry-After", "1795238790"), ("Date", "Sat Nov 21 05:26:00 2026")], "", 30_000),
      ([("Retry-After", "1795238790000"), ("Date", "Sat, 21 Nov 2026 05:26:00 GMT")], "", 30_000),
      ([("RateLimit", #""default";r=0;t=40"#)], "", 40_000),
      ([("RateLimit", #""minute";r=0;t=40, "day";r=9;t=4000"#)], "", 40_000),
      ([("RateLimit", "limit=5, remaining=0, reset=40")], "", 40_000), ([("RateLimit", "none")], "", nil),
      ([], "Quota will be replenished in 00:53:20.", 3_200_000),
      ([("Retry-After", "-5")], "", nil), ([("Retry-After", "1e9")], "", nil),
      ([("Retry-After", "99999999999")], "", 86_400_000), ([("x-ratelimit-reset-requests", "6m0s")], "", 360_000),
      ([("x-ratelimit-reset-requests", "20ms")], "", 20), ([("x-ratelimit-reset-tokens", "1h2m3.5s")], "", 3_723_500),
      ([("Retry-After", "1m30s")], "", 90_000), ([("Retry-After", "1500ms")], "", 1500),
      ([("x-ratelimit-reset", "1795238790"), ("Date", "Sat, 21 Nov 2026 05:26:00 GMT")], "", 30_000),
      ([("x-ratelimit-reset", "1795238790000"), ("Date", "Sat, 21 Nov 2026 05:26:00 GMT")], "", 30_000),
      ([("ratelimit-reset", "50")], "", 50_000), ([("x-ratelimit-reset", "1595238790")], "", nil),
      (
        [("x-ratelimit-reset-tokens", "2026-11-21T05:27:00Z"), ("Date", "Sat, 21 Nov 2026 05:26:00 GMT")], "", 60_000
      ),
      ([("x-ratelimit-reset-requests", "12")], "", 12_000), ([("x-ratelimit-reset-requests", "12parsecs")], "", nil),
      (
        [
          ("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "2s"),
          ("x-ratelimit-remaining-tokens", "100"), ("x-ratelimit-reset-tokens", "9s"),
        ], "", 2000
      ),
      ([("x-ratelimit-reset-requests", "2s"), ("x-ratelimit-reset-tokens", "9s")], "", 9000),
      ([], "Limit 5, Used 5. Please try again in 12s.", 12_000), ([], "Try again in 1m30s, please.", 90_000),
      ([], "Please try again in 250ms. Visit us", 250), ([], "Please try again in a moment.", nil), ([], "", nil),
    ] as [([(String, String)], String, Int?)])
  func delays(headers: [(String, String)], message: String, delayMs: Int?) async throws {
    let body = Self.error(message, code: "rate_limit_exceeded")
    let server = ScriptedServer(.json(body, status: 429, headers: headers.map { HTTPHeader($0.0, $0.1) }))
    let error = try await failure(server, OpenAITest.request())
    #expect(error.retryAfterMs == delayMs)
    #expect(error.sentence == ErrorKind.rateLimited.sentence(retryAfterMs: delayMs))
  }

  @Test(
    "a refusal never holds the key, not even when the server says it",
    arguments: [400, 401, 403, 404, 429, 500], [OpenAITest.key, String(OpenAITest.key.dropFirst(9).prefix(12))])
  func secrets(status: Int, said: String) async throws {
    let body = Self.error("The key \(said) is no good (Bearer \(said)).", type: said, param: said, code: said)
    let headers = [HTTPHeader("x-request-id", said)]
    let server = ScriptedServer(.json(body, status: status, headers: headers))
    let error = try await failure(server, OpenAITest.request())
    let whole = error.message + JSONValue.object(error.details).serializedText + String(describing: error)
    #expect(!whole.contains(said))
  }

  @Test("a refusal asks for a key where a server on this machine wants one and there is none")
  func localKey() async throws {
    let server = ScriptedServer(.json(Self.error("No key."), status: 401))
    let error = try await failure(server, OpenAITest.request(), base: OpenAITest.local, key: nil)
    #expect(error.kind == .noApiKey)
  }

  @Test(
    "an error is the same when it comes with a good status",
    arguments: [
      (error("Slow down.", code: "rate_limit_exceeded"), .rateLimited),
      (#"{"error":{"code":503,"message":"busy"}}"#, .providerUnavailable),
      (#"{"error":{"message":"bad","type":"authentication_error"}}"#, .invalidApiKey),
      (error(safety, code: "moderation_blocked"), .contentBlocked), (#"{"error":"oops"}"#, .providerError),
    ] as [(String, ErrorKind)])
  func inAnswer(body: String, kind: ErrorKind) async throws {
    #expect(try await failure(ScriptedServer(.json(body)), OpenAITest.request()).kind == kind)
  }

  @Test("an error with a good status may have been charged where the answer counts work", arguments: [
    (#"{"data":[{"b64_json":""}],"error":{"code":503},"usage":{"output_tokens":4160}}"#, true),
    (#"{"data":[{"error":{"code":503}}],"usage":{"output_tokens":4160}}"#, true),
    (#"{"error":{"code":503},"usage":{"output_tokens":0}}"#, false), (#"{"error":{"code":503}}"#, false),
  ])
  func cost(body: String, hasCost: Bool) async throws {
    let error = try await failure(ScriptedServer(.json(body)), OpenAITest.request())
    #expect(error.kind == .providerUnavailable)
    #expect((error.details["mayHaveBeenCharged"] == true) == hasCost)
  }

  @Test("an error beside a link counts, and the link leads to its explanation", arguments: [
    #"{"data":[{"error":{"code":"moderation_blocked"},"url":"https://help.example/x"}]}"#,
    #"{"errors":[{"code":"moderation_blocked"}],"url":"https://help.example"}"#,
    #"{"error":{"code":"moderation_blocked"},"url":"/help"}"#,
  ])
  func helpLink(body: String) async throws {
    let server = ScriptedServer(.json(body))
    #expect(try await failure(server, OpenAITest.request()).kind == .contentBlocked)
    #expect(server.requests.value.count == 1)
  }

  @Test(
    "an answer that is none, or whose picture is damaged, is a provider's error",
    arguments: [
      ("", "malformed_response"), ("null", "malformed_response"), ("{\"data\":", "malformed_response"),
      (#"{"data":[{"b64_json":"!!!!"}]}"#, "invalid_base64"),
      (#"{"data":[{"b64_json":"iVBORw0KGgo="}]}"#, "incomplete_picture"),
      (#"{"data":[{"b64_json":"aGVsbG8="}]}"#, "not_a_picture"),
      (#"{"data":[{"b64_json":"R0lGODlhAQABAA=="}]}"#, "unsupported_picture"),
    ])
  func damaged(body: String, reason: String) async throws {
    let error = try await failure(ScriptedServer(.json(body)), OpenAITest.request())
    #expect(error.kind == .providerError)
    #expect(error.details["reason"] == .string(reason))
    #expect(error.details["mayHaveBeenCharged"] == true)
  }

  @Test(
    "an answer without a picture says that none came",
    arguments: [
      "{}", #"{"data":[]}"#, #"{"data":null}"#, #"{"data":[{}]}"#, #"{"data":[{"b64_json":null,"url":null}]}"#,
      #"{"data":[{"b64_json":""}]}"#, #"{"error":null,"data":[]}"#,
    ])
  func empty(body: String) async throws {
    let error = try await failure(ScriptedServer(.json(body)), OpenAITest.request())
    #expect(error.kind == .noImageReturned && error.details["mayHaveBeenCharged"] == true)
    #expect(!error.message.contains("words") && error.hint?.contains("base URL") == true)
  }

  @Test(
    "a failure of the network is named",
    arguments: [
      (.resolve, .offline, "resolve"), (.timedOut(.total), .providerTimeout, "timeout"),
      (.timedOut(.stall), .providerTimeout, "stalled"), (.reset, .providerError, "connection_lost"),
    ] as [(HTTPError.Cause, ErrorKind, String)])
  func network(cause: HTTPError.Cause, kind: ErrorKind, reason: String) async throws {
    let broken = ScriptedServer.Answer(error: HTTPError(cause, mayHaveBeenSent: true, detail: "x"))
    let error = try await failure(ScriptedServer(broken), OpenAITest.request())
    #expect(error.kind == kind)
    #expect(error.details["reason"] == .string(reason))
    #expect(error.details["mayHaveBeenCharged"] == true)
    let unsent = ScriptedServer(ScriptedServer.Answer(error: HTTPError(cause, mayHaveBeenSent: false, detail: "x")))
    #expect(try await failure(unsent, OpenAITest.request()).details["mayHaveBeenCharged"] == nil)
  }

  private func failure(
    _ server: ScriptedServer, _ request: ImageRequest, base: String = "https://api.openai.com",
    key: String? = OpenAITest.key
  ) async throws -> AtelierError {
    let provider = try OpenAITest.provider(server, base: base, key: key)
    return try await #require(throws: AtelierError.self) { try await provider.makeImage(request) { _ in } }
  }
}

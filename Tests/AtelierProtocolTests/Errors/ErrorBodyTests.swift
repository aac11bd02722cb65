import AtelierProtocol
import Support
import Testing

@Suite("Errors on the wire")
struct ErrorBodyTests {
  private let now = Timestamp(milliseconds: 1_795_238_760_123)

  @Test("errors on the wire carry everything the contract names, in its order, and leave out what is not known")
  func wire() throws {
    let error = AtelierError(
      .rateLimited, retryAfterMs: 1_500, generationId: "gen_1", provider: .gemini, details: ["scope": "minute"])
    let body = error.body(at: now, requestId: 7)
    let wire = try written(body)
    let data = """
      {"kind":"rate_limited","retryable":true,"retryAfterMs":1500,"generationId":"gen_1","provider":"gemini",\
      "requestId":7,"timestamp":"2026-11-21T05:26:00.123Z","details":{"scope":"minute"}}
      """
    let expected = """
      {"code":429,"message":"Too many requests. Please wait 2 seconds and try again.","data":\(data)}
      """
    #expect(String(decoding: wire.serialized(), as: UTF8.self) == expected)
    #expect(String(decoding: body.responseError.json.serialized(), as: UTF8.self) == expected)
    #expect(error.response(to: 7, at: now) == body.responseError)
    #expect(
      try written(AtelierError(.notFound, "Gone.").body(at: now)) == [
        "code": 404, "message": "Gone.",
        "data": ["kind": "not_found", "retryable": false, "timestamp": "2026-11-21T05:26:00.123Z", "details": [:]],
      ])
  }

  @Test("errors come back from the wire as what they were", arguments: ErrorKind.allCases)
  func roundTrip(kind: ErrorKind) throws {
    let error = AtelierError(kind, retryAfterMs: 5, generationId: "g", provider: "p", details: ["a": [1]])
    let body = try read(ErrorBody.self, written(error.body(at: now)))
    #expect(body.data.retryAfterMs == (body.data.retryable ? 5 : nil))
    #expect(AtelierError(body).isRetryable == error.isRetryable)
    var read = AtelierError(body)
    (read.retryAfterMs, read.retryable) = (5, nil)
    #expect(read == error)
  }

  @Test(
    "errors on the wire say whether a retry helps, where that is not what their kind says", arguments: ErrorKind.allCases)
  func retryable(kind: ErrorKind) throws {
    for retryable in [true, false] {
      let error = AtelierError(kind, retryable: retryable)
      #expect(error.isRetryable == retryable)
      #expect(error.body(at: now).data.retryable == retryable)
      #expect(AtelierError(try read(ErrorBody.self, written(error.body(at: now)))).isRetryable == retryable)
    }
    #expect(AtelierError(kind).isRetryable == kind.isRetryable)
  }

  @Test("errors of a kind from a later version keep their message")
  func unknownKind() {
    var body = AtelierError(.offline, "No network.").body(at: now)
    body.data.kind = "from_the_future"
    #expect(AtelierError(body).kind == .internal)
    #expect(AtelierError(body).message == "No network.")
    #expect(AtelierError(body).isRetryable)
  }
}

import AtelierProtocol
import CurlHTTP
import JSON
import Testing

@testable import Providers

@Suite("An exchange that was not completed")
struct HTTPErrorTests {
  static let causes: [(HTTPError.Cause, ErrorKind, String, Bool)] = [
    (.badURL, .providerUnavailable, "configuration", false), (.badHeader, .providerUnavailable, "configuration", false),
    (.unusable, .providerUnavailable, "unusable", false), (.noSocket, .overloaded, "no_socket", true),
    (.resolve, .offline, "resolve", true), (.connect, .offline, "connect", true),
    (.timedOut(.connect), .offline, "connect_timeout", true), (.proxy, .offline, "proxy", true),
    (.tls, .offline, "tls", true), (.timedOut(.total), .providerTimeout, "timeout", true),
    (.timedOut(.stall), .providerTimeout, "stalled", true), (.reset, .providerError, "connection_lost", true),
    (.truncated, .providerError, "truncated", true), (.tooLarge, .providerError, "response_too_large", true),
    (.malformed, .providerError, "malformed_response", true),
  ]

  @Test(
    "an exchange that was not completed has the kind of its cause, and tells whether it may cost something",
    arguments: causes)
  func mapping(cause: HTTPError.Cause, kind: ErrorKind, reason: String, retryable: Bool) {
    for sent in [false, true] {
      let error = AtelierError(HTTPError(cause, mayHaveBeenSent: sent, detail: "secret detail"), provider: .openai)
      #expect(error.kind == kind)
      #expect(error.isRetryable == retryable)
      #expect(error.provider == .openai)
      var details: JSONObject = ["reason": .string(reason)]
      if sent { details["mayHaveBeenCharged"] = true }
      var told = error.details
      told["hint"] = nil
      #expect(told == details)
      #expect(!"\(error)".contains("secret detail"))
      #expect(error.message.hasSuffix("."))
    }
  }

  @Test("an exchange that was not completed has a sentence of its own where something else has to be done")
  func sentences() {
    func sentence(_ cause: HTTPError.Cause) -> String {
      AtelierError(HTTPError(cause, mayHaveBeenSent: false, detail: ""), provider: .gemini).forOperators
    }
    let distinct: [HTTPError.Cause] = [
      .badURL, .unusable, .noSocket, .resolve, .proxy, .tls, .timedOut(.total), .timedOut(.stall), .reset, .tooLarge,
      .malformed,
    ]
    #expect(Set(distinct.map(sentence)).count == distinct.count)
    #expect(sentence(.connect) == sentence(.resolve))
  }
}

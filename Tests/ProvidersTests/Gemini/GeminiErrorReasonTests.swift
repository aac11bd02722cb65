import AtelierProtocol
import CurlHTTP
import JSON
import Testing

@testable import Providers

@Suite("The reason that Google gives for a refusal")
struct GeminiErrorReasonTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var reason: String
    var kind = ErrorKind.providerDenied
    var name: String
    /// A part of the sentence; nil expects the kind's own.
    var says: String?

    var testDescription: String { reason }
  }

  static let rows = [
    Row(reason: "SERVICE_DISABLED", name: "api_disabled", says: "is not enabled in the Google Cloud project"),
    Row(reason: "service_disabled", name: "api_disabled", says: "enable it in the Google Cloud console"),
    Row(reason: "API_KEY_INVALID", kind: .invalidApiKey, name: "api_key_invalid"),
    Row(reason: "API_KEY_SERVICE_BLOCKED", name: "api_key_restricted", says: "restricted to other APIs"),
    Row(reason: "API_KEY_HTTP_REFERRER_BLOCKED", name: "api_key_restricted", says: "a website, an app or an address"),
    Row(reason: "API_KEY_IP_ADDRESS_BLOCKED", name: "api_key_restricted", says: "change its restrictions"),
    Row(reason: "API_KEY_ANDROID_APP_BLOCKED", name: "api_key_restricted", says: "use another key"),
    Row(reason: "API_KEY_IOS_APP_BLOCKED", name: "api_key_restricted", says: "use another key"),
    Row(reason: "BILLING_DISABLED", kind: .providerUnavailable, name: "billing", says: "billing account"),
    Row(reason: "CONSUMER_SUSPENDED", name: "account_restricted", says: "restricted the account"),
    Row(reason: "ACCOUNT_STATE_INVALID", name: "account_restricted", says: "restricted the account"),
    Row(reason: "USER_PROJECT_DENIED", name: "permission_denied", says: "check its restrictions"),
    Row(reason: "CONSUMER_INVALID", name: "permission_denied", says: "check its restrictions"),
  ]

  /// Words that alone would mean something else.
  static let sentences = [
    "Generative Language API has not been used in project 7 before or it is disabled.", "Your account has been suspended.",
    "API key not valid.", "The billing account of this project is disabled.", "Refused under our content policy.", "",
  ]

  private static func body(_ details: String, saying message: String) -> String {
    #"{"error":{"code":403,"message":"\#(message)","status":"PERMISSION_DENIED","details":\#(details)}}"#
  }

  /// The forms in which details come.
  private static func details(_ reason: String) -> [String] {
    let info = #"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"\#(reason)","domain":"googleapis.com"}"#
    return [
      "[\(info)]", info, #"[{"@type":"type.googleapis.com/google.rpc.Help","links":[]},null,7,\#(info)]"#,
      #"[{"reason":"SOMETHING_NEW"},{"reason":null},\#(info)]"#,
    ]
  }

  @Test(
    "the reason that Google gives decides, whatever the status and the words, wherever it stands in the details",
    arguments: rows, sentences)
  func gemini(row: Row, message: String) throws {
    for details in Self.details(row.reason) {
      for status in [400, 401, 403, 429] {
        let error = try GeminiTest.failure(Array(Self.body(details, saying: message).utf8), status: status)
        #expect(error.kind == row.kind && error.details["reason"]?.string == row.name, "\(details)")
        #expect(error.forOperators.contains(row.says ?? row.kind.sentence.text), "\(error.message)")
        #expect(!error.isRetryable && error.retryAfterMs == nil)
      }
    }
  }

  @Test("the reason that Google gives decides behind another server too", arguments: rows)
  func gateway(row: Row) async throws {
    let body = Self.body(Self.details(row.reason)[0], saying: Self.sentences[0])
    let wrapped: JSONValue = ["error": ["message": .string("litellm.BadRequestError: \(body)")]]
    for text in [body, "[\(body)]", wrapped.serializedText] {
      let provider = try OpenAITest.provider(ScriptedServer(.json(text, status: 403)))
      let error = try await #require(throws: AtelierError.self) {
        try await provider.makeImage(OpenAITest.request()) { _ in }
      }
      #expect(error.kind == row.kind && error.details["reason"]?.string == row.name, "\(text)")
      #expect(!error.isRetryable)
    }
  }

  @Test("the reason is looked for in the words where Google gives none that is known", arguments: [
    ("Generative Language API has not been used in project 7 before or it is disabled. Enable it by visiting …",
      "api_disabled"),
    ("The Generative Language API is not enabled for this project.", "api_disabled"),
    ("Requests to this API generativelanguage.googleapis.com are blocked.", "permission_denied"),
    ("Access to this service is blocked.", "permission_denied"),
    ("The service of your project is disabled.", "permission_denied"),
    ("Requests from this address are blocked for the project.", "permission_denied"),
    ("The billing account for the owning project is disabled in state absent", "billing"),
    ("Consumer 'projects/7' has been suspended.", "account_restricted"),
    ("Service account is disabled", "account_restricted"),
    ("Gemini API error: Your account has been suspended.", "account_restricted"),
    ("Die API ist gesperrt.", "permission_denied"),
  ])
  func wordsAlone(message: String, name: String) throws {
    for details in ["[]", "null", #"[{"reason":"SOMETHING_NEW"}]"#, #"{"reason":["SERVICE_DISABLED"]}"#] {
      let error = try GeminiTest.failure(Array(Self.body(details, saying: message).utf8), status: 403)
      #expect(error.details["reason"]?.string == name)
    }
  }
}

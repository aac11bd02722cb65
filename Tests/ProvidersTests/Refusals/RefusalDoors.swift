import AtelierProtocol
import Credentials
import CurlHTTP
import JSON
import Testing

@testable import Providers

/// Every way in which a refusal reaches the service: whoever is asked for whatever must understand it alike.
enum RefusalDoor: String, Sendable, CaseIterable {
  case generations, edits, chat, geminiImage, geminiWords, geocoder

  /// The error that a response becomes.
  func error(
    status: Int, body: [UInt8], headers: [HTTPHeader] = [], prompt: String = "a lighthouse"
  ) async throws -> AtelierError {
    let answer = ScriptedServer.Answer(status: status, headers: headers, body: body)
    return try await #require(throws: AtelierError.self) {
      switch self {
      case .generations:
        _ = try await OpenAITest.provider(ScriptedServer(answer)).makeImage(OpenAITest.request(prompt: prompt)) { _ in }
      case .edits:
        let request = OpenAITest.request(.edit, photo: try OpenAITest.photo(), prompt: prompt)
        _ = try await OpenAITest.provider(ScriptedServer(answer)).makeImage(request) { _ in }
      case .chat: _ = try await OpenAITest.provider(ScriptedServer(answer)).answer(Self.words(prompt)) {}
      case .geminiImage:
        _ = try await gemini(answer).makeImage(GeminiTest.request(prompt: prompt)) { _ in }
      case .geminiWords: _ = try await gemini(answer).answer(Self.words(prompt)) {}
      case .geocoder:
        let settings = GeocoderSettings(
          baseURL: try #require(BaseURL("https://geocoder.example/")), userAgent: "test/1", intervalMs: 0, keptMs: 0)
        _ = try await NominatimGeocoder(settings: settings, http: ScriptedServer(answer)).places(
          for: prompt, near: nil, language: nil)
      }
    }
  }

  private func gemini(_ answer: ScriptedServer.Answer) -> GeminiProvider {
    GeminiProvider(http: ScriptedServer(answer), keys: GeminiKeys())
  }

  private static func words(_ prompt: String) -> TextRequest {
    TextRequest(instructions: "Help.", messages: [.user(prompt)], functions: [], timeoutMs: 1000)
  }
}

/// Every form in which servers and the gateways before them put a sentence.
enum RefusalForm: String, Sendable, CaseIterable {
  case plain, quoted, error, errorText, errors, detail, details, message, status, textInJSON, textInText, textInTextWithRest
  case pythonInText, array, page

  func body(_ sentence: String) -> [UInt8] {
    let inner: JSONValue = ["error": ["message": .string(sentence), "type": "x", "code": nil]]
    func object(_ name: String, _ value: JSONValue) -> [UInt8] { JSONValue.object([name: value]).serialized() }
    return switch self {
    case .plain: Array(sentence.utf8)
    case .quoted: JSONValue.string(sentence).serialized()
    case .error: inner.serialized()
    case .errorText: object("error", .string(sentence))
    case .errors: object("errors", [["message": .string(sentence)]])
    case .detail: object("detail", .string(sentence))
    case .details: object("detail", [["loc": ["body"], "msg": .string(sentence), "type": "x"]])
    case .message: JSONValue.object(["success": false, "message": .string(sentence)]).serialized()
    case .status: object("base_resp", ["status_code": 1, "status_msg": .string(sentence)])
    case .textInJSON: object("error", ["message": .string(inner.serializedText)])
    case .textInText:
      object(
        "error",
        ["message": .string("upstream: " + JSONValue.object(["body": .string(inner.serializedText)]).serializedText)])
    case .textInTextWithRest:
      object("error", ["message": .string("x.BadGateway: \(inner.serializedText). Received Model Group=y")])
    case .pythonInText: object("detail", .string("Error code: 400 - {'error': {'message': '\(sentence)', 'type': 'x'}}"))
    case .array: JSONValue.array([inner]).serialized()
    case .page:
      Array(
        """
        <!DOCTYPE html><html><head><title>Error</title><style>a{}</style></head><body><p>\(sentence)</p></body></html>
        """.utf8)
    }
  }

  /// Whether it says in an answer with a success status that something failed.
  var isErrorInAnswer: Bool { ![.plain, .quoted, .page, .array].contains(self) }
}

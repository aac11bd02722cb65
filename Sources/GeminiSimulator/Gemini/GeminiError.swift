import JSON
import JSONRPC

/// An error of the Gemini API: google.rpc.Status as JSON.
struct GeminiError: Error, Sendable {
  enum Status: String, Sendable {
    case invalidArgument = "INVALID_ARGUMENT"
    case failedPrecondition = "FAILED_PRECONDITION"
    case unauthenticated = "UNAUTHENTICATED"
    case permissionDenied = "PERMISSION_DENIED"
    case notFound = "NOT_FOUND"
    case resourceExhausted = "RESOURCE_EXHAUSTED"
    case cancelled = "CANCELLED"
    case internalError = "INTERNAL"
    case unavailable = "UNAVAILABLE"
    case deadlineExceeded = "DEADLINE_EXCEEDED"
    case somethingNew = "SOMETHING_NEW"
  }

  var code: Int
  var status: Status
  var message: String
  var details: [JSONValue]

  init(_ code: Int, _ status: Status, _ message: String, details: [JSONValue] = []) {
    self.code = code
    self.status = status
    self.message = message
    self.details = details
  }

  static func invalidArgument(_ message: String) -> GeminiError { GeminiError(400, .invalidArgument, message) }

  var json: JSONValue {
    var error: JSONObject = [
      "code": .number(JSONNumber(code)), "message": .string(message), "status": .string(status.rawValue),
    ]
    if !details.isEmpty { error["details"] = .array(details) }
    return ["error": .object(error)]
  }

  var answer: HTTPAnswer { .json(status: code, json) }

  // MARK: Errors that more than one place gives

  static let keyInvalid = GeminiError(
    400, .invalidArgument, "API key not valid. Please pass a valid API key.",
    details: [
      [
        "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID", "domain": "googleapis.com",
        "metadata": ["service": "generativelanguage.googleapis.com"],
      ],
      [
        "@type": "type.googleapis.com/google.rpc.LocalizedMessage", "locale": "en-US",
        "message": "API key not valid. Please pass a valid API key.",
      ],
    ])

  static let unregisteredCaller = GeminiError(
    403, .permissionDenied,
    """
    Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form \
    of API consumer identity to call this API.
    """)

  /// For a bearer token, which is OpenAI's way.
  static let noAccessToken = GeminiError(
    401, .unauthenticated,
    """
    Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid \
    authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.
    """,
    details: [
      [
        "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "ACCESS_TOKEN_TYPE_UNSUPPORTED",
        "metadata": ["service": "generativelanguage.googleapis.com"],
      ]
    ])

  static let badImage = invalidArgument(
    "Unable to process input image. Please retry or report in "
      + "https://developers.generativeai.google/guide/troubleshooting")

  static func missingThoughtSignature(of kind: String, content: Int, part: Int) -> GeminiError {
    invalidArgument(
      "\(kind) part is missing a thought_signature in content position \(content), part position \(part).")
  }

  static func noSuchModel(_ model: String, version: String, method: String) -> GeminiError {
    GeminiError(
      404, .notFound,
      """
      models/\(model) is not found for API version \(version), or is not supported for \(method). Call ListModels to \
      see the list of available models and their supported methods.
      """)
  }

  /// - Parameter fields: the path of the parent, with the names as proto has them, and the name nobody knows.
  static func unknownFields(_ fields: [(path: String, name: String)]) -> GeminiError {
    badRequest(
      fields.map { path, name in
        let place = path.isEmpty ? "" : " at '\(path)'"
        return (path, "Invalid JSON payload received. Unknown name \"\(name)\"\(place): Cannot find field.")
      })
  }

  static func badRequest(_ violations: [(field: String, description: String)]) -> GeminiError {
    let list = violations.map { field, description -> JSONValue in
      field.isEmpty
        ? ["description": .string(description)] : ["field": .string(field), "description": .string(description)]
    }
    return GeminiError(
      400, .invalidArgument, violations.map(\.description).joined(separator: "\n"),
      details: [["@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": .array(list)]])
  }
}

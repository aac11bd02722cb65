import JSON

extension HTTPAnswer {
  /// An error of the Gemini API: google.rpc.Status as JSON.
  static func googleError(_ code: Int, _ message: String, details: [JSONValue] = []) -> HTTPAnswer {
    let status = [401: "UNAUTHENTICATED", 404: "NOT_FOUND"][code] ?? "INVALID_ARGUMENT"
    var error: JSONObject = ["code": JSONValue(code), "message": .string(message), "status": .string(status)]
    if !details.isEmpty { error["details"] = .array(details) }
    return .google(status: code, ["error": .object(error)])
  }

  /// - Parameter violations: the field, with the names as proto has them, and what is wrong with it.
  static func badRequest(_ violations: [(field: String, description: String)]) -> HTTPAnswer {
    let list = violations.map { field, description -> JSONValue in
      field.isEmpty
        ? ["description": .string(description)] : ["field": .string(field), "description": .string(description)]
    }
    return .googleError(
      400, violations.map(\.description).joined(separator: "\n"),
      details: [["@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": .array(list)]])
  }
}

extension GeminiService {
  /// What refuses a request for the same reason as a fault may.
  static func refusal(_ fault: ErrorFault) -> HTTPAnswer {
    Fault.error(fault).entry.answer(model: "", inGoogleStyle: true) ?? .googleError(400, fault.rawValue)
  }

  /// For a bearer token, which is OpenAI's way.
  static let noAccessToken = HTTPAnswer.googleError(
    401,
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
}

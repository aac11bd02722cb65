import JSON

/// The HTTP errors of the Gemini API, each with the body it was seen with.
public enum ErrorFault: String, Sendable, CaseIterable {
  case keyInvalid = "400-key-invalid"
  case badField = "400-bad-field"
  case badImage = "400-bad-image"
  case region = "400-region"
  case billing = "400-billing"
  case thoughtSignature = "400-thought-signature"
  case thoughtSignatureOfText = "400-thought-signature-text"
  case unregisteredCaller = "403-no-key"
  case permission = "403-permission"
  case model = "404-model"
  case tooLarge = "413-too-large"
  case quotaMinute = "429-minute"
  case quotaMinuteFraction = "429-minute-fraction"
  case quotaKey = "429-key"
  case quotaDay = "429-day"
  case quotaZero = "429-zero"
  case quotaThree = "429-three-violations"
  case quotaBare = "429-bare"
  case quotaMessageOnly = "429-message-only"
  case cancelled = "499-cancelled"
  case internalError = "500-internal"
  case emptyBody = "500-empty"
  case badGateway = "502-html"
  case overloaded = "503-overloaded"
  case unavailableDeadline = "503-deadline"
  case gatewayTimeout = "504-deadline"
  case array = "503-in-array"
  case unknownStatus = "418-unknown"
  /// Status 200 with an error inside.
  case insideSuccess = "200-error"

  var summary: String {
    switch self {
    case .keyInvalid: "400 INVALID_ARGUMENT, reason API_KEY_INVALID"
    case .badField: "400 INVALID_ARGUMENT, an unknown field with its fieldViolations"
    case .badImage: "400 INVALID_ARGUMENT, the input picture cannot be processed"
    case .region: "400 FAILED_PRECONDITION, the user's location is not supported"
    case .billing: "400 FAILED_PRECONDITION, not without a billing account"
    case .thoughtSignature: "400 INVALID_ARGUMENT, an image part lacks its thought_signature"
    case .thoughtSignatureOfText: "400 INVALID_ARGUMENT, a text part lacks its thought_signature"
    case .unregisteredCaller: "403 PERMISSION_DENIED, the request has no key"
    case .permission: "403 PERMISSION_DENIED, the key may not use the model"
    case .model: "404 NOT_FOUND, there is no such model"
    case .tooLarge: "413, a page of HTML from the front end"
    case .quotaMinute: "429, a PerMinute quota, retryDelay 26s"
    case .quotaMinuteFraction: "429, a PerMinute quota, retryDelay 45.837906927s"
    case .quotaKey: "429, a PerMinute quota for all models, retryDelay 26s"
    case .quotaDay: "429, a PerDay quota, with a retryDelay of 36s all the same"
    case .quotaZero: "429, a free tier without pictures: limit: 0"
    case .quotaThree: "429, three violations at once, one of them PerDay, limit: 0"
    case .quotaBare: "429 without details"
    case .quotaMessageOnly: "429, the delay only in the message: Please retry in 45.57s."
    case .cancelled: "499 CANCELLED"
    case .internalError: "500 INTERNAL"
    case .emptyBody: "500 without a body"
    case .badGateway: "502, a page of HTML from a proxy"
    case .overloaded: "503 UNAVAILABLE, the model is overloaded"
    case .unavailableDeadline: "503 UNAVAILABLE, a deadline expired"
    case .gatewayTimeout: "504 DEADLINE_EXCEEDED"
    case .array: "503 UNAVAILABLE, the error in an array of one element"
    case .unknownStatus: "418 with a status no client knows"
    case .insideSuccess: "200, the body is an error object with code 503"
    }
  }

  /// The whole answer.
  /// - Parameter model: the one asked for.
  func answer(model: String) -> HTTPAnswer {
    switch self {
    case .emptyBody: return HTTPAnswer(status: 500, headers: [HeaderField("Content-Type", "text/html")], body: [])
    case .badGateway: return .html(status: 502, Self.proxyPage)
    case .tooLarge: return .html(status: 413, Self.tooLargePage)
    case .array: return .json(status: 503, .array([Self.error(model: model, .overloaded).json]))
    case .insideSuccess: return .json(status: 200, Self.error(model: model, .overloaded).json)
    default:
      let error = Self.error(model: model, self)
      return .json(status: error.code, error.json)
    }
  }

  private static let proxyPage = """
    <html>\r
    <head><title>502 Bad Gateway</title></head>\r
    <body>\r
    <center><h1>502 Bad Gateway</h1></center>\r
    <hr><center>nginx</center>\r
    </body>\r
    </html>\r

    """

  private static let tooLargePage = """
    <!DOCTYPE html>
    <html lang=en>
      <meta charset=utf-8>
      <title>Error 413 (Request Entity Too Large)!!1</title>
      <p><b>413.</b> <ins>That’s an error.</ins>
      <p>Your client issued a request that was too large.
       <ins>That’s all we know.</ins>

    """
}

extension ErrorFault {
  /// The error object of a fault that has one.
  static func error(model: String, _ fault: ErrorFault) -> GeminiError {
    switch fault {
    case .keyInvalid: .keyInvalid
    case .badField:
      .unknownFields([(path: "generation_config", name: "foo")])
    case .badImage: .badImage
    case .region: GeminiError(400, .failedPrecondition, "User location is not supported for the API use.")
    case .billing:
      GeminiError(
        400, .failedPrecondition,
        "User location is not supported for the API use without a billing account linked.")
    case .thoughtSignature: .missingThoughtSignature(of: "Image", content: 2, part: 1)
    case .thoughtSignatureOfText: .missingThoughtSignature(of: "Text", content: 2, part: 1)
    case .unregisteredCaller: .unregisteredCaller
    case .permission: GeminiError(403, .permissionDenied, "The caller does not have permission")
    case .model: .noSuchModel(model, version: "v1beta", method: "generateContent")
    case .quotaMinute, .quotaMinuteFraction, .quotaKey, .quotaDay, .quotaZero, .quotaThree, .quotaBare,
      .quotaMessageOnly:
      fault.quotaError(model: model)
    case .cancelled: GeminiError(499, .cancelled, "The operation was cancelled.")
    case .unavailableDeadline:
      GeminiError(503, .unavailable, "Deadline expired before operation could complete.")
    case .gatewayTimeout:
      GeminiError(504, .deadlineExceeded, "Deadline expired before operation could complete.")
    case .overloaded, .array, .insideSuccess:
      GeminiError(503, .unavailable, "The model is overloaded. Please try again later.")
    case .unknownStatus: GeminiError(418, .somethingNew, "The request met a condition that is new.")
    case .internalError, .emptyBody, .badGateway, .tooLarge:
      GeminiError(
        500, .internalError,
        "An internal error has occurred. Please retry or report in "
          + "https://developers.generativeai.google/guide/troubleshooting")
    }
  }

  private static let quotaSentence = """
    You exceeded your current quota, please check your plan and billing details. For more information on this error, \
    head to: https://ai.google.dev/gemini-api/docs/rate-limits. To monitor your current usage, head to: \
    https://ai.dev/usage?tab=rate-limit.
    """

  private func quotaError(model: String) -> GeminiError {
    switch self {
    case .quotaBare:
      return GeminiError(429, .resourceExhausted, "Resource has been exhausted (e.g. check quota).")
    case .quotaMessageOnly:
      return GeminiError(429, .resourceExhausted, Self.quotaSentence + "\nPlease retry in 45.57s.")
    default: break
    }
    let violations = quotaViolations
    let lines = violations.map {
      "* Quota exceeded for metric: \($0.metric), limit: \($0.value), model: \(model)"
    }
    let message = ([Self.quotaSentence] + lines + ["Please retry in \(retryDelay)."]).joined(separator: "\n")
    let help: JSONValue = [
      "@type": "type.googleapis.com/google.rpc.Help",
      "links": [
        [
          "description": "Learn more about Gemini API quotas",
          "url": "https://ai.google.dev/gemini-api/docs/rate-limits",
        ]
      ],
    ]
    let failure: JSONValue = [
      "@type": "type.googleapis.com/google.rpc.QuotaFailure",
      "violations": .array(violations.map { $0.json(model: model) }),
    ]
    let retry: JSONValue = ["@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": .string(retryDelay)]
    // The order varies in the wild.
    let details = self == .quotaDay ? [help, failure, retry] : [failure, help, retry]
    return GeminiError(429, .resourceExhausted, message, details: details)
  }

  private var retryDelay: String {
    switch self {
    case .quotaMinuteFraction: "45.837906927s"
    case .quotaDay: "36s"
    case .quotaThree: "17.403283s"
    default: "26s"
    }
  }

  private struct QuotaViolation {
    var metric: String
    var id: String
    var value: String

    static let perMinute = QuotaViolation(
      metric: "generativelanguage.googleapis.com/generate_content_free_tier_requests",
      id: "GenerateRequestsPerMinutePerProjectPerModel-FreeTier", value: "10")
    static let perDay = QuotaViolation(
      metric: "generativelanguage.googleapis.com/generate_content_free_tier_requests",
      id: "GenerateRequestsPerDayPerProjectPerModel-FreeTier", value: "100")
    static let tokens = QuotaViolation(
      metric: "generativelanguage.googleapis.com/generate_content_free_tier_input_token_count",
      id: "GenerateContentInputTokensPerModelPerMinute-FreeTier", value: "250000")

    static let ofKey = QuotaViolation(
      metric: "generativelanguage.googleapis.com/generate_requests", id: "GenerateRequestsPerMinutePerProject",
      value: "10")

    var zero: QuotaViolation { QuotaViolation(metric: metric, id: id, value: "0") }

    func json(model: String) -> JSONValue {
      var json: JSONObject = [
        "quotaMetric": .string(metric), "quotaId": .string(id),
        "quotaDimensions": ["location": "global", "model": .string(model)],
      ]
      // protobuf leaves an empty value out; "0" is a text and stays.
      json["quotaValue"] = .string(value)
      return .object(json)
    }
  }

  private var quotaViolations: [QuotaViolation] {
    switch self {
    case .quotaKey: [.ofKey]
    case .quotaDay: [.perDay]
    case .quotaZero: [.perMinute.zero]
    case .quotaThree: [.perDay.zero, .perMinute.zero, .tokens.zero]
    case .quotaMinute: [.tokens]
    default: [.perMinute]
    }
  }
}

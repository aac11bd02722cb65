import JSONRPC

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

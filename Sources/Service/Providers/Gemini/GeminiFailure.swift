import AtelierProtocol
import Credentials
import CurlHTTP
import JSON
import Localization

/// A failure response, and its interpretation (GEMINI 3).
struct GeminiFailure {
  var httpStatus: Int
  /// Nil for a body that is not from the API, such as a proxy's error page.
  var error: GeminiErrorBody?
  var headers: [HTTPHeader] = []
  /// The model that was asked.
  var model: String
  /// The size of the request's body.
  var sentBytes = 0
  /// Whether the request had a picture that may be at fault.
  var hasPictures = true

  /// - Parameter key: removed from the error's texts.
  func error(hiding key: APIKey) -> AtelierError {
    var error = cause(key)
    error.provider = .gemini
    error.details["httpStatus"] = .number(JSONNumber(httpStatus))
    error.details["status"] = self.error?.status.flatMap { GeminiName($0, hiding: key) }?.json
    error.details["providerReason"] = self.error?.reason.flatMap { GeminiName($0, hiding: key) }?.json
    error.details["providerMessage"] = self.error.flatMap { ProviderMessage($0.message, hiding: key) }
      .map { .string($0.text) }
    // The API has been seen to time out after it had completed the work.
    if [408, 499, 504].contains(httpStatus) { error.details["mayHaveBeenCharged"] = true }
    return error
  }

  private func cause(_ key: APIKey) -> AtelierError {
    if httpStatus >= 400, let reason = error?.reasons.lazy.compactMap(GeminiErrorReason.init).first {
      return failure(reason)
    }
    return switch httpStatus {
    case 300..<400:
      failure(
        .providerUnavailable, "redirected",
        "Something on the way to the provider redirects the request: a network may want you to log in first.")
    case 400: badRequest
    case 401: failure(.invalidApiKey, "unauthenticated")
    case 403: denied
    case 404: notFound
    case 413: tooLarge
    case 429: GeminiQuota(error, headers: headers).error(hiding: key)
    case 503: failure(.providerUnavailable, "unavailable")
    case 504: failure(.providerTimeout, "deadline_exceeded")
    case 408: failure(.providerError, "request_timeout")
    case 499: failure(.providerError, "cancelled")
    case 500..<600: failure(.providerError, "server_error")
    default: failure(.providerError, "unexpected_status")
    }
  }

  private func failure(
    _ kind: ErrorKind, _ reason: String, _ sentence: Sentence? = nil, hint: String? = nil, retryable: Bool? = nil
  ) -> AtelierError {
    AtelierError(kind, sentence, hint: hint, details: ["reason": .string(reason)], retryable: retryable)
  }

  private func failure(_ reason: GeminiErrorReason) -> AtelierError {
    failure(reason.kind, reason.name, hint: reason.hint, retryable: false)
  }

  private var denied: AtelierError {
    let message = error?.message ?? ""
    if RefusalWords.sayAPIIsDisabled(message) { return failure(.apiDisabled) }
    if message.lowercased().contains("billing account") { return failure(.billing) }
    return failure(RefusalWords.sayAccountIsBlocked(message) ? .accountRestricted : .permissionDenied)
  }

  private var badRequest: AtelierError {
    guard let error else { return failure(.providerError, "unexpected_status", retryable: false) }
    let message = error.message.lowercased()
    let isAboutKey = message.contains("api key not valid") || message.contains("api key expired")
    if isAboutKey { return failure(.invalidKey) }
    if error.status == "FAILED_PRECONDITION" { return precondition(message) }
    if message.contains("thought_signature") || message.contains("thought signature") {
      let reason = GeminiFinishReason.historyInvalid
      return failure(.providerError, reason.name, reason.sentence, retryable: false)
    }
    if hasPictures { return failure(.invalidImage, "invalid_argument") }
    return failure(
      .wrongRecipeInput, "invalid_argument",
      "The provider did not accept the request: check what you asked for and try again.")
  }

  /// A failure that only the operator or another provider can resolve.
  private func precondition(_ message: String) -> AtelierError {
    if message.contains("billing") { return failure(.billing) }
    if message.contains("location") {
      return failure(
        .providerUnavailable, "region", "The provider does not serve this country or region: choose another provider.",
        retryable: false)
    }
    return failure(.providerUnavailable, "failed_precondition", retryable: false)
  }

  private var notFound: AtelierError {
    guard error?.status != nil else {
      return failure(
        .providerUnavailable, "not_found",
        hint: "The address configured for Gemini has no such API: correct the base URL or the version.", retryable: false)
    }
    var missing = failure(
      .providerUnavailable, "model_not_found",
      "The provider does not offer the model “\(model)”: choose another model or provider.",
      hint: "Correct the model that is configured, if the request names none.", retryable: false)
    missing.details["model"] = .string(model)
    return missing
  }

  private var tooLarge: AtelierError {
    var error =
      hasPictures
      ? failure(.imageTooLarge, "request_too_large", "The provider finds the request too large: use smaller pictures.")
      : failure(.wrongRecipeInput, "request_too_large", "The provider finds the request too large: use fewer words.")
    error.details["bytes"] = .number(JSONNumber(sentBytes))
    return error
  }
}

/// A `google.rpc.Status`, parsed leniently (GEMINI 3): every member may be missing.
struct GeminiErrorBody {
  /// One quota that was exceeded.
  struct Violation {
    var quotaId: String
    var quotaValue: Int64?
  }

  /// Such as `RESOURCE_EXHAUSTED`.
  var status: String?
  /// The status as a number.
  var code: Int?
  var message: String
  /// Such as `API_KEY_INVALID`.
  var reasons: [String] = []
  var reason: String? { reasons.first }
  var violations: [Violation] = []
  /// A protobuf duration, such as `45.837906927s`.
  var retryDelay: String?

  /// - Parameter body: the object whose member `error` is the error.
  /// - Returns: nil when there is no such member.
  init?(_ body: JSONObject) {
    if let text = body["error"]?.statedText {
      message = text
      return
    }
    guard let error = body["error"]?.object else { return nil }
    status = error["status"]?.statedText
    message = error["message"]?.statedText ?? ""
    code = error["code"]?.statedInteger.flatMap(Int.init(exactly:))
    for detail in (error["details"]?.array ?? [error["details"] ?? .null]) + [.object(error)] {
      // The order and the types may vary: each member is searched for in every entry, and beside them.
      reasons += [detail["reason"]?.statedText].compactMap(\.self)
      retryDelay = retryDelay ?? detail["retryDelay"]?.statedText
      violations += (detail["violations"]?.array ?? []).map {
        Violation(quotaId: $0["quotaId"]?.statedText ?? "", quotaValue: $0["quotaValue"]?.statedInteger)
      }
    }
  }

  /// The HTTP status that the error states, in numbers or by its canonical name.
  var statedStatus: Int? {
    code.flatMap { (400..<600).contains($0) ? $0 : nil } ?? status.flatMap(Self.httpStatus)
  }

  /// The HTTP status of a canonical name (`google.rpc.Code`); nil for an unknown one.
  static func httpStatus(of name: String) -> Int? {
    switch name {
    case "INVALID_ARGUMENT", "FAILED_PRECONDITION", "OUT_OF_RANGE": 400
    case "UNAUTHENTICATED": 401
    case "PERMISSION_DENIED": 403
    case "NOT_FOUND": 404
    case "RESOURCE_EXHAUSTED": 429
    case "CANCELLED": 499
    case "INTERNAL", "UNKNOWN", "DATA_LOSS": 500
    case "UNAVAILABLE": 503
    case "DEADLINE_EXCEEDED": 504
    default: nil
    }
  }
}

/// Which limit a 429 is about; the order of the checks matters (GEMINI 3.2).
struct GeminiQuota {
  enum Scope: String {
    /// The plan has no quota at all.
    case zero = "quota_zero"
    case day = "quota_day"
    case minute = "quota_minute"
    case unknown = "rate_limited"
  }

  let scope: Scope
  /// When another request may succeed. The delay that the server states beside a daily quota is that of another limit.
  let retryDelay: RetryDelay?
  private let quotaId: String?
  /// Whether the limit covers all models of the key; a 429 that does not say is about the requested model.
  private var isAboutKey: Bool { quotaId.map { !$0.isEmpty && !$0.contains("PerModel") } ?? false }

  init(_ error: GeminiErrorBody?, headers: [HTTPHeader] = []) {
    let violations = error?.violations ?? []
    let message = error?.message ?? ""
    let deciding: GeminiErrorBody.Violation?
    if violations.contains(where: { $0.quotaValue == 0 }) || RefusalWords.sayLimitIsZero(message) {
      scope = .zero
      deciding = violations.first { $0.quotaValue == 0 }
    } else if let day = violations.first(where: { $0.quotaId.contains("PerDay") }) {
      scope = .day
      deciding = day
    } else if let minute = violations.first(where: { $0.quotaId.contains("PerMinute") }) {
      scope = .minute
      deciding = minute
    } else {
      scope = .unknown
      deciding = violations.first
    }
    quotaId = deciding?.quotaId
    retryDelay =
      scope == .day
      ? Self.untilReset(headers)
      : error?.retryDelay.flatMap { RetryDelay($0) } ?? RetryDelay(inMessage: message) ?? headers.retryDelay
  }

  /// The time until daily quotas start anew, at midnight on the Pacific coast of the United States; in summer, that is
  /// an hour before what is taken here.
  /// - Returns: nil when the server does not tell its time.
  private static func untilReset(_ headers: [HTTPHeader]) -> RetryDelay? {
    let (day, midnight): (Int64, Int64) = (86_400_000, 8 * 3_600_000)
    guard let now = headers.value(of: "date").flatMap(HTTPDate.init)?.time else { return nil }
    let sinceReset = (now.milliseconds - midnight) % day
    return RetryDelay(from: now, to: Timestamp(milliseconds: now.milliseconds - sinceReset + day))
  }

  /// What is said where the plan has nothing of what was asked for.
  static let notIncluded: Sentence = "The provider does not offer this under its present plan: choose another provider."
  /// What is said where tomorrow brings more.
  static let usedUpToday: Sentence =
    "The provider's limit for today is used up: try again tomorrow, or choose another provider."

  /// - Parameter key: removed from the error's texts.
  func error(hiding key: APIKey) -> AtelierError {
    var details: JSONObject = ["reason": .string(scope.rawValue)]
    details["quotaId"] = quotaId.flatMap { GeminiName($0, hiding: key) }?.json
    switch scope {
    case .zero:
      return AtelierError(
        .quotaExhausted, Self.notIncluded,
        hint: "The plan of the API key does not include this model: enable billing in Google AI Studio.",
        details: details, retryable: false)
    case .day:
      if isAboutKey { details["scope"] = "key" }
      return AtelierError(
        .quotaExhausted, Self.usedUpToday, hint: "Raise the quota of the API key in Google AI Studio.",
        retryAfterMs: retryDelay?.milliseconds, details: details)
    case .minute, .unknown:
      details["scope"] = isAboutKey ? "key" : "provider"
      return AtelierError(.rateLimited, retryAfterMs: retryDelay?.milliseconds, details: details)
    }
  }
}

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
  /// The body as any server may word it: gateways speak for the API.
  var refusal: ServerRefusal
  /// The model that was asked.
  var model: String
  /// The size of the request's body.
  var sentBytes = 0
  /// Whether the request had a picture that may be at fault.
  var hasPictures = true
  /// The words that were sent, which servers quote.
  var prompt = ""

  private var message: String {
    error.map(\.message).flatMap { $0.isEmpty ? nil : $0 } ?? refusal.sentences.joined(separator: "\n")
  }

  /// - Parameter key: removed from the error's texts.
  func error(hiding key: APIKey) -> AtelierError {
    var error = cause(key)
    error.provider = .gemini
    error.details["httpStatus"] = .number(JSONNumber(httpStatus))
    error.details["status"] = self.error?.status.flatMap { GeminiName($0, hiding: key) }?.json
    error.details["providerReason"] = self.error?.reason.flatMap { GeminiName($0, hiding: key) }?.json
    error.details["providerMessage"] = ProviderMessage(self.error?.message ?? refusal.message, hiding: key)
      .map { .string($0.text) }
    if refusal.mayHaveBeenCharged(as: httpStatus) { error.details["mayHaveBeenCharged"] = true }
    return error
  }

  private func cause(_ key: APIKey) -> AtelierError {
    if httpStatus >= 400, let reason = error?.reasons.lazy.compactMap(GeminiErrorReason.init).first {
      return failure(reason)
    }
    if httpStatus >= 400, error?.violations.isEmpty != false, let money = MoneyRefusal(refusal, quoting: prompt) {
      return money.error(of: .gemini)
    }
    if refusal.blocksContentByCode || refusal.failsByContent(quoting: prompt)
      || [400, 422].contains(httpStatus) && refusal.blocksContentByWords(quoting: prompt)
    {
      return failure(.contentBlocked, "blocked", hasPictures ? nil : AtelierError.blockedWords)
    }
    if !refusal.isPage, [400, 403, 404, 422].contains(httpStatus) || httpStatus >= 500 {
      if refusal.sentences.contains(where: { RefusalWords.sayKeyIsRefused($0, quoting: prompt) }) {
        return failure(.invalidKey)
      }
      if httpStatus != 404, refusal.sentences.contains(where: { RefusalWords.sayModelIsUnknown($0, quoting: prompt) }) {
        return unknownModel
      }
    }
    return switch httpStatus {
    case 300..<400:
      failure(
        .providerUnavailable, "redirected",
        "Something on the way to the provider redirects the request: a network may want you to log in first.")
    case 400, 422: badRequest
    case 401: failure(.invalidApiKey, "unauthenticated")
    case 403: denied
    case 404: notFound
    case 413: tooLarge
    case 429: GeminiQuota(error, beside: refusal).error(hiding: key)
    case 500...503 where isAboutRequest: badRequest
    case 500..<600 where refusal.lostExchange == .timedOut: failure(.providerTimeout, "deadline_exceeded")
    case 500..<600 where refusal.lostExchange == .brokeOff:
      failure(.providerError, "connection_lost", AtelierError.connectionLost)
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
    failure(reason.kind, reason.name, reason.sentence, hint: reason.hint, retryable: false)
  }

  /// Whether a server that fails says that the request is what is wrong with it.
  private var isAboutRequest: Bool {
    refusal.statedStatus == 400 || error?.status == "INVALID_ARGUMENT"
      || refusal.sentences.contains { RefusalWords.sayRequestIsInvalid($0) }
  }

  private var denied: AtelierError {
    if RefusalWords.sayAPIIsDisabled(message) { return failure(.apiDisabled) }
    if RefusalWords.sayBillingIsOff(message) { return failure(.billing) }
    return failure(RefusalWords.sayAccountIsBlocked(message) ? .accountRestricted : .permissionDenied)
  }

  private var badRequest: AtelierError {
    // What a server on the way says is heard as well, but not any page.
    guard error != nil || !refusal.message.isEmpty || isAboutRequest else {
      return failure(.providerError, "unexpected_status", AtelierError.notSetUp, retryable: false)
    }
    let message = message.lowercased()
    if RefusalWords.sayBillingIsOff(message) { return failure(.billing) }
    if error?.status == "FAILED_PRECONDITION" { return precondition(message) }
    if message.contains("thought_signature") || message.contains("thought signature") {
      let reason = GeminiFinishReason.historyInvalid
      return failure(.providerError, reason.name, reason.sentence, retryable: false)
    }
    if refusal.sentences.contains(where: RefusalWords.sayBodyIsTooLarge) { return tooLarge }
    if refusal.sentences.contains(where: RefusalWords.sayFeatureIsUnknown) {
      return failure(.unsupportedByProvider, "unsupported", AtelierError.unsupported(by: model))
    }
    let isUnknown = refusal.sentences.contains(where: RefusalWords.sayPartIsUnknown)
    if hasPictures, !isUnknown { return failure(.invalidImage, "invalid_argument") }
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
    return failure(.providerUnavailable, "failed_precondition", AtelierError.notSetUp, retryable: false)
  }

  private var notFound: AtelierError {
    guard error?.status != nil else {
      return failure(
        .providerUnavailable, "not_found", AtelierError.notSetUp,
        hint: "The address configured for Gemini has no such API: correct the base URL or the version.", retryable: false)
    }
    return unknownModel
  }

  private var unknownModel: AtelierError {
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

  /// - Parameter refusal: what else the server says of it.
  init(_ error: GeminiErrorBody?, beside refusal: ServerRefusal) {
    let violations = error?.violations ?? []
    let sentences = refusal.sentences
    let deciding: GeminiErrorBody.Violation?
    if violations.contains(where: { $0.quotaValue == 0 }) || sentences.contains(where: RefusalWords.sayLimitIsZero) {
      scope = .zero
      deciding = violations.first { $0.quotaValue == 0 }
    } else if let day = violations.first(where: { $0.quotaId.contains("PerDay") }) {
      scope = .day
      deciding = day
    } else if let minute = violations.first(where: { $0.quotaId.contains("PerMinute") }) {
      scope = .minute
      deciding = minute
    } else if violations.isEmpty, sentences.contains(where: RefusalWords.sayLimitIsOfADay) {
      scope = .day
      deciding = nil
    } else {
      scope = .unknown
      deciding = violations.first
    }
    quotaId = deciding?.quotaId
    let stated =
      error?.retryDelay.flatMap { RetryDelay($0) } ?? refusal.statedDelay ?? refusal.retryDelay
    // What Google states beside the quota of a day is the delay of another one.
    retryDelay = scope == .day ? (violations.isEmpty ? stated : nil) ?? Self.untilReset(refusal.headers) : stated
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

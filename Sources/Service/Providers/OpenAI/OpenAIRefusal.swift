import AtelierProtocol
import Credentials
import JSON
import Localization

extension ServerRefusal {
  /// The parts of the request that affect the meaning of a failure.
  struct Context {
    var key: APIKey?
    var model: String
    var hasPictures: Bool
    /// Whether words were asked for, not a picture.
    var isOfWords = false
    /// The words that were sent, which servers quote.
    var prompt = ""
  }

  /// The meaning of a failure, from the most reliable source: codes and details, then the status; words only where these
  /// leave it open.
  private struct Meaning {
    var kind: ErrorKind
    /// For `details.reason`.
    var reason: String
    /// Nil uses the kind's own sentence.
    var sentence: Sentence?
    /// What the operator can do; nil for the hint of the kind.
    var hint: String?
    /// True if retrying cannot help until someone changes something.
    var isFinal = false

    init(
      _ kind: ErrorKind, _ reason: String, _ sentence: Sentence? = nil, hint: String? = nil, isFinal: Bool = false
    ) {
      (self.kind, self.reason, self.sentence, self.hint, self.isFinal) = (kind, reason, sentence, hint, isFinal)
    }
  }

  /// The error for a caller. The server's own message appears only in `details`, without secrets.
  func error(_ context: Context) -> AtelierError {
    let meaning = meaning(context)
    let isOfTime = !meaning.isFinal && (meaning.kind.consequences.pause != .none || status >= 500)
    let delay = meaning.reason == GeminiQuota.Scope.day.rawValue ? dayDelay : retryDelay
    var details: JSONObject = ["reason": .string(meaning.reason), "httpStatus": .number(JSONNumber(status))]
    let texts = [
      ("providerMessage", message), ("providerCode", code), ("providerType", type), ("providerParam", param),
      ("providerRequestId", header("x-request-id") ?? ""),
    ]
    for (name, text) in texts {
      if let shown = ProviderMessage(text, hiding: context.key) { details[name] = .string(shown.text) }
    }
    if mayHaveBeenCharged(as: status) { details["mayHaveBeenCharged"] = true }
    if meaning.kind == .rateLimited { details["scope"] = "provider" }
    return AtelierError(
      meaning.kind, meaning.sentence, hint: meaning.hint, retryAfterMs: isOfTime ? delay?.milliseconds : nil,
      provider: .openai, details: details, retryable: meaning.isFinal ? false : nil)
  }

  private func meaning(_ context: Context) -> Meaning {
    meaningOfNames(context) ?? meaningOfWords(context) ?? meaningOfStatus(context)
  }

  /// The meaning of the codes and details, which no words change but those about money: a gateway's code names what it
  /// makes of the other server's words.
  private func meaningOfNames(_ context: Context) -> Meaning? {
    let names = names
    if !names.isDisjoint(with: Self.codesOfAccount) { return accountBlocked }
    if let money = MoneyRefusal(self, quoting: context.prompt) {
      return Meaning(.quotaExhausted, money.name, money.sentence, hint: money.hint, isFinal: true)
    }
    if blocksContentByCode { return contentBlocked(context) }
    if !names.isDisjoint(with: Self.codesOfKey) { return refusedKey(context) }
    if let reason = googleReason {
      return Meaning(reason.kind, reason.name, reason.sentence, hint: reason.hint, isFinal: true)
    }
    if !names.isDisjoint(with: ["rate_limit_exceeded", "rate_limit_error", "too_many_requests"]) { return tooMany }
    let isOfModel = param == "model" && (isInAnswer || [400, 403, 404, 422].contains(status))
    let namesModel = names.contains { Self.codesOfModel.contains($0) || $0.hasSuffix("_model_access_denied") }
    if isOfModel || namesModel { return unknownModel(context) }
    return status >= 500 ? meaningOfFailure(context) : nil
  }

  private static let codesOfKey: Set<String> = [
    "invalid_api_key", "api_key_invalid", "incorrect_api_key", "expired_key", "key_expired", "api_key_expired",
    "token_not_found_in_db",
  ]
  private static let codesOfModel: Set<String> = [
    "model_not_found", "invalid_model", "deploymentnotfound", "modelnotopen", "model_not_available",
  ]

  /// The meaning of a failure that is none of the server: one about the request, the key or the model is no outage.
  private func meaningOfFailure(_ context: Context) -> Meaning? {
    if failsByContent(quoting: context.prompt) { return contentBlocked(context) }
    if let meaning = meaningOfKeyOrModel(context) { return meaning }
    return (500...503).contains(status) && isAboutRequest ? badRequest(context) : nil
  }

  private func meaningOfKeyOrModel(_ context: Context) -> Meaning? {
    if !isPage, sentences.contains(where: { RefusalWords.sayKeyIsRefused($0, quoting: context.prompt) }) {
      return refusedKey(context)
    }
    return isOfUnknownModel(context) ? unknownModel(context) : nil
  }

  private func isOfUnknownModel(_ context: Context) -> Bool {
    !isPage && sentences.contains { RefusalWords.sayModelIsUnknown($0, quoting: context.prompt) }
  }

  /// Whether a server that fails says that the request is what is wrong with it.
  private var isAboutRequest: Bool {
    if let statedStatus, statedStatus == 400 || statedStatus == 422 { return true }
    return !names.isDisjoint(with: Self.codesOfRequest) || param == "size" || param == "prompt"
      || sentences.contains { RefusalWords.sayRequestIsInvalid($0) }
  }

  private static let codesOfRequest: Set<String> = [
    "invalid_request_error", "invalid_request", "invalid_value", "invalid_argument", "invalid_parameter", "invalid_size",
    "badrequesterror", "bad_request", "unsupported_value", "invalidparameter",
  ]

  /// The meaning of the words where the status fits several: a request that is refused for what it asks, for who asks,
  /// or for how often.
  private func meaningOfWords(_ context: Context) -> Meaning? {
    guard (400..<500).contains(status), ![402, 404, 405, 407, 408, 413, 415].contains(status) else { return nil }
    if sentences.contains(where: RefusalWords.sayBillingIsOff) {
      let reason = GeminiErrorReason.billing
      return Meaning(reason.kind, reason.name, reason.sentence, hint: reason.hint, isFinal: true)
    }
    if isOfAccount { return accountBlocked }
    if status != 429, sentences.contains(where: RefusalWords.sayCallsAreUsedUp) { return tooMany }
    if ![401, 429].contains(status), let meaning = meaningOfKeyOrModel(context) { return meaning }
    return isOfContent(quoting: context.prompt) ? contentBlocked(context) : nil
  }

  private func meaningOfStatus(_ context: Context) -> Meaning {
    switch status {
    case 300..<400:
      return Meaning(
        .providerUnavailable, "redirected", AtelierError.notSetUp,
        hint: "The provider's address redirects to another one: check the base URL.", isFinal: true)
    case 401: return refusedKey(context)
    case 403: return forbidden(context)
    case 404:
      let isOfModel = !isPage && sentence.contains("model") || isOfUnknownModel(context)
      return isOfModel ? unknownModel(context) : unknownAddress
    case 405, 501: return unknownAddress
    case 408, 504, 524: return Meaning(.providerTimeout, "deadline_exceeded")
    case 413: return tooLarge(context)
    case 415: return unreadable(context)
    case 429: return tooMany
    case 500..<600 where lostExchange == .timedOut: return Meaning(.providerTimeout, "deadline_exceeded")
    case 500..<600 where lostExchange == .brokeOff:
      return Meaning(.providerError, "connection_lost", AtelierError.connectionLost)
    case 503, 529: return Meaning(.providerUnavailable, "unavailable")
    case 400..<500: return badRequest(context)
    case 500..<600: return Meaning(.providerError, "server_error")
    default: return Meaning(.providerError, "unexpected_status")
    }
  }

  private var sentence: String { sentences.joined(separator: "\n").lowercased() }

  private static let codesOfAccount: Set<String> = [
    "account_deactivated", "account_suspended", "account_blocked", "account_disabled", "account_banned",
    "access_terminated", "organization_suspended", "organization_disabled", "organization_restricted",
    "consumer_suspended", "user_suspended", "user_blocked",
  ]
  /// Whether the account is blocked, whatever the request. A block that ends by itself is a limit, and a key that is
  /// blocked is one that is not accepted.
  private var isOfAccount: Bool {
    if status == 429, quota != nil || statesDelay { return false }
    return sentences.contains { RefusalWords.sayAccountIsBlocked($0, orKey: status != 401) }
  }

  /// Whether the safety rules refuse what was asked for. A key or an account may be refused with the same words, and no
  /// other prompt helps it.
  private func isOfContent(quoting prompt: String) -> Bool {
    guard blocksContentByWords(quoting: prompt) else { return false }
    switch status {
    case 401, 429: return false
    case 403: return !sentences.contains(where: RefusalWords.mentionAccount)
    default: return true
    }
  }

  // MARK: Meanings with a sentence of their own

  private func refusedKey(_ context: Context) -> Meaning {
    context.key == nil
      ? Meaning(
        .noApiKey, "no_api_key",
        hint: "The server requires an API key: run `atelier credentials set openai`, or set OPENAI_API_KEY.")
      : Meaning(.invalidApiKey, "api_key_invalid")
  }

  private func contentBlocked(_ context: Context) -> Meaning {
    Meaning(.contentBlocked, "blocked", context.isOfWords ? AtelierError.blockedWords : nil)
  }

  private var accountBlocked: Meaning {
    Meaning(
      .providerDenied, GeminiFinishReason.accountRestricted.name,
      hint: "The provider has blocked the account of the API key: look for its notices, or use another key.")
  }

  private func forbidden(_ context: Context) -> Meaning {
    if names.contains("unsupported_country_region_territory") {
      return Meaning(
        .providerDenied, "region",
        "The provider does not serve this country or region: choose another provider.")
    }
    return Meaning(
      .providerDenied, "permission_denied",
      hint: "The provider does not let the API key use the model “\(context.model)”: check the key's permissions, and "
        + "whether the organisation has to be verified.")
  }

  private func unknownModel(_ context: Context) -> Meaning {
    Meaning(
      .providerUnavailable, "model_not_found",
      "The provider does not offer the model “\(context.model)”: choose another model or provider.",
      hint: "Correct the model that is configured, if the request names none, and check what the API key may use.",
      isFinal: true)
  }

  private var unknownAddress: Meaning {
    Meaning(
      .providerUnavailable, "not_found", AtelierError.notSetUp,
      hint: "The server does not offer this at its address: check the base URL.", isFinal: true)
  }

  // MARK: Limits

  /// A plan without any of this is told apart from a limit that time restores, and that of a day from that of a minute.
  private var tooMany: Meaning {
    let quota = quota.map { GeminiQuota($0, beside: self) }
    if Self.limits.contains(where: { isZero("x-ratelimit-limit\($0)") }) || quota?.scope == .zero
      || sentences.contains(where: RefusalWords.sayLimitIsZero)
    {
      return Meaning(
        .quotaExhausted, GeminiQuota.Scope.zero.rawValue, GeminiQuota.notIncluded,
        hint: "The plan of the API key does not include this model: change the plan.", isFinal: true)
    }
    let scope = quota?.scope ?? .unknown
    guard scope == .day || scope == .unknown && RefusalWords.sayLimitIsOfADay(sentence) else {
      return Meaning(.rateLimited, "rate_limited")
    }
    return Meaning(
      .quotaExhausted, GeminiQuota.Scope.day.rawValue,
      quota != nil || retryDelay == nil
        ? GeminiQuota.usedUpToday
        : "The provider's limit for today is used up: wait until it lets more through, or choose another provider.",
      hint: "Have the limit of the API key raised.")
  }

  /// How the headers of the limits end.
  private static let limits = ["", "-requests", "-tokens", "-images"]

  /// Whether a header is 0, in whatever form; of a list, its first number counts.
  private func isZero(_ name: String) -> Bool {
    header(name)?.split(whereSeparator: { ",; ".contains($0) }).first.flatMap { Double($0) } == 0
  }

  /// When a limit of a day lets another request through, if that is known. Some limits are restored bit by bit, which
  /// the server's own headers and words tell; what stands beside one of Google's is the delay of another limit.
  private var dayDelay: RetryDelay? { quota.map { GeminiQuota($0, beside: self).retryDelay } ?? retryDelay }

  /// How long to wait before the next request, at most a day; nil when the server does not say.
  var retryDelay: RetryDelay? {
    headers.retryDelay ?? resetDelay ?? statedDelay
      ?? (header("ratelimit-reset") ?? header("x-ratelimit-reset")).flatMap { headers.delay($0) } ?? headers.rateLimitDelay
  }

  /// When the exhausted limits are reset: requests, tokens or images, whichever takes longest.
  private var resetDelay: RetryDelay? {
    let delays: [(isUsedUp: Bool, delay: RetryDelay)] = Self.limits.dropFirst().compactMap { name in
      guard let delay = header("x-ratelimit-reset\(name)").flatMap({ headers.delay($0) }) else { return nil }
      return (isZero("x-ratelimit-remaining\(name)"), delay)
    }
    let usedUp = delays.filter(\.isUsedUp)
    return (usedUp.isEmpty ? delays : usedUp).map(\.delay).max { $0.milliseconds < $1.milliseconds }
  }

  // MARK: Requests

  private func tooLarge(_ context: Context) -> Meaning {
    guard context.hasPictures else {
      return Meaning(
        .wrongRecipeInput, "request_too_large", "The provider finds the request too large: use fewer words.")
    }
    return Meaning(
      .imageTooLarge, "request_too_large", "The provider finds the request too large: use smaller pictures.")
  }

  private func unreadable(_ context: Context) -> Meaning {
    guard context.hasPictures else { return unacceptable }
    return Meaning(
      .unsupportedImage, "unsupported_picture",
      "The provider does not read this kind of picture: use JPEG, PNG or WebP.")
  }

  private var unacceptable: Meaning {
    Meaning(
      .wrongRecipeInput, "invalid_argument",
      "The provider did not accept the request: check what you asked for and try again.")
  }

  private func badRequest(_ context: Context) -> Meaning {
    if names.contains("file_too_large") || sentences.contains(where: RefusalWords.sayBodyIsTooLarge) {
      return tooLarge(context)
    }
    if names.contains(where: { $0.hasPrefix("unsupported_file") }) { return unreadable(context) }
    let isOfSize =
      param == "size"
      || param.isEmpty && sentences.contains { RefusalWords.saySizeIsInvalid($0, orSides: !context.hasPictures) }
    if isOfSize, !context.isOfWords {
      return Meaning(
        .unsupportedByProvider, "size",
        "The model “\(context.model)” cannot make a picture of that size or shape: choose another one.",
        hint: "Leave size and aspectRatio out, or send others.")
    }
    if param == "prompt" {
      return Meaning(
        .wrongRecipeInput, "prompt",
        "The provider cannot use this prompt: make it shorter or put it in other words.")
    }
    let isOfPicture = param.hasPrefix("image") || param == "mask" || code.contains("image")
    let isUnknown = names.contains("unknown_parameter") || sentences.contains(where: RefusalWords.sayPartIsUnknown)
    if isUnknown, !isOfPicture { return unacceptable }
    if !isOfPicture, sentence.contains("not support") || sentence.contains("unsupported") {
      return Meaning(
        .unsupportedByProvider, "unsupported", AtelierError.unsupported(by: context.model))
    }
    let isOfOther = !param.isEmpty && !isOfPicture
    return context.hasPictures && !isOfOther ? Meaning(.invalidImage, "invalid_argument") : unacceptable
  }
}

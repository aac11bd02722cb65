import AtelierProtocol
import Credentials
import JSON

extension OpenAIFailure {
  /// The parts of the request that affect the meaning of a failure.
  struct Context {
    var key: APIKey?
    var model: String
    var hasPictures: Bool
    /// Whether words were asked for, not a picture.
    var isOfWords = false
  }

  /// The meaning of a failure, from the most reliable source: codes and details, then the status; words only where these
  /// leave it open.
  private struct Meaning {
    var kind: ErrorKind
    /// For `details.reason`.
    var reason: String
    /// Nil uses the kind's own sentence.
    var sentence: String?
    /// True if retrying cannot help until someone changes something.
    var isFinal = false

    init(_ kind: ErrorKind, _ reason: String, _ sentence: String? = nil, isFinal: Bool = false) {
      (self.kind, self.reason, self.sentence, self.isFinal) = (kind, reason, sentence, isFinal)
    }
  }

  /// The error for a caller. The server's own message appears only in `details`, without secrets.
  func error(_ context: Context) -> AtelierError {
    let meaning = meaning(context)
    let isOfTime = !meaning.isFinal && (meaning.kind == .rateLimited || meaning.kind == .quotaExhausted || status >= 500)
    let delay = meaning.reason == GeminiQuota.Scope.day.rawValue ? dayDelay : retryDelay
    var details: JSONObject = ["reason": .string(meaning.reason), "httpStatus": .number(JSONNumber(status))]
    let texts = [
      ("providerMessage", message), ("providerCode", code), ("providerType", type), ("providerParam", param),
      ("providerRequestId", header("x-request-id") ?? ""),
    ]
    for (name, text) in texts {
      if let shown = ProviderMessage(text, hiding: context.key) { details[name] = .string(shown.text) }
    }
    if [408, 499, 504, 524].contains(status) { details["mayHaveBeenCharged"] = true }
    if meaning.kind == .rateLimited { details["scope"] = "provider" }
    return AtelierError(
      meaning.kind, meaning.sentence, retryAfterMs: isOfTime ? delay?.milliseconds : nil, provider: .openai, details: details,
      retryable: meaning.isFinal ? false : nil)
  }

  private func meaning(_ context: Context) -> Meaning {
    if isOfAccount { return accountBlocked }
    if isQuota { return Meaning(.quotaExhausted, "insufficient_quota", isFinal: true) }
    if isBlocked { return Meaning(.contentBlocked, "blocked", context.isOfWords ? AtelierError.blockedWords : nil) }
    if names.contains("invalid_api_key") { return refusedKey(context) }
    if !names.isDisjoint(with: ["model_not_found", "invalid_model"]) || param == "model" { return unknownModel(context) }
    switch status {
    case 300..<400:
      return Meaning(
        .providerUnavailable, "redirected",
        "The provider's address redirects to another one: the operator should check the base URL.", isFinal: true)
    case 401: return refusedKey(context)
    case 403: return forbidden(context)
    case 404: return sentence.contains("model") ? unknownModel(context) : unknownAddress
    case 405, 501: return unknownAddress
    case 408, 504, 524: return Meaning(.providerTimeout, "deadline_exceeded")
    case 413: return tooLarge(context)
    case 415: return unreadable(context)
    case 429: return tooMany
    case 503, 529: return Meaning(.providerUnavailable, "unavailable")
    case 400..<500: return badRequest(context)
    case 500..<600: return Meaning(.providerError, "server_error")
    default: return Meaning(.providerError, "unexpected_status")
    }
  }

  private var sentence: String { sentences.joined(separator: "\n") }

  /// Waiting does not help: the account needs credit.
  private var isQuota: Bool {
    let codes: Set<String> = [
      "insufficient_quota", "insufficient_credits", "insufficient_balance", "billing_hard_limit_reached",
      "billing_not_active",
    ]
    return status == 402 || !names.isDisjoint(with: codes)
  }

  /// Whether the account is blocked, whatever the request.
  private var isOfAccount: Bool {
    let codes: Set<String> = [
      "account_deactivated", "account_suspended", "account_blocked", "account_disabled", "account_banned",
      "access_terminated", "organization_suspended", "organization_disabled", "organization_restricted",
      "consumer_suspended", "user_suspended", "user_blocked",
    ]
    if !names.isDisjoint(with: codes) { return true }
    return (400..<500).contains(status) && !hasCodeOfContent && sentences.contains(where: RefusalWords.sayAccountIsBlocked)
  }

  private var hasCodeOfContent: Bool {
    let codes: Set<String> = [
      "moderation_blocked", "content_policy_violation", "content_filter", "contentfilter",
      "responsibleaipolicyviolation", "flagged_input",
    ]
    return !names.isDisjoint(with: codes)
  }

  /// Whether the safety rules refuse what was asked for. Words say so only where the status allows it: a key or an
  /// account may be refused with the same words, and no other prompt helps it.
  private var isBlocked: Bool {
    guard (400..<500).contains(status) else { return false }
    if hasCodeOfContent { return true }
    guard sentences.contains(where: RefusalWords.sayContentIsBlocked) else { return false }
    switch status {
    case 401, 404, 407, 429: return false
    case 403: return !sentences.contains(where: RefusalWords.mentionAccount)
    default: return true
    }
  }

  // MARK: Meanings with a sentence of their own

  private func refusedKey(_ context: Context) -> Meaning {
    context.key == nil
      ? Meaning(
        .noApiKey, "no_api_key",
        "This server requires an API key: run `atelier credentials set openai`, or set OPENAI_API_KEY.")
      : Meaning(.invalidApiKey, "api_key_invalid")
  }

  private var accountBlocked: Meaning {
    Meaning(
      .providerDenied, GeminiFinishReason.accountRestricted.name,
      "The provider has blocked the account of this API key: look for its notices, or use another key or provider.")
  }

  private func forbidden(_ context: Context) -> Meaning {
    if names.contains("unsupported_country_region_territory") {
      return Meaning(
        .providerDenied, "region",
        "The provider does not serve this country or region: choose another provider.")
    }
    return Meaning(
      .providerDenied, "permission_denied",
      "The provider does not let this API key use the model “\(context.model)”: check the key's permissions, and "
        + "whether the organisation has to be verified.")
  }

  private func unknownModel(_ context: Context) -> Meaning {
    Meaning(
      .providerUnavailable, "model_not_found",
      "The provider has no model “\(context.model)” for this API key: choose another, or have the operator change the "
        + "setting.", isFinal: true)
  }

  private var unknownAddress: Meaning {
    Meaning(
      .providerUnavailable, "not_found",
      "The server does not offer this at its address: have the operator check the base URL, or choose another one.",
      isFinal: true)
  }

  // MARK: Limits

  /// A plan without any of this is told apart from a limit that time restores, and that of a day from that of a minute.
  private var tooMany: Meaning {
    let quota = quota.map { GeminiQuota($0) }
    let isZero = ["requests", "tokens", "images"].contains { header("x-ratelimit-limit-\($0)") == "0" }
    if isZero || quota?.scope == .zero || sentences.contains(where: RefusalWords.sayLimitIsZero) {
      return Meaning(
        .quotaExhausted, GeminiQuota.Scope.zero.rawValue,
        "The plan of this API key does not include this model: change the plan, or use another provider.", isFinal: true)
    }
    guard quota?.scope == .day || sentences.contains(where: RefusalWords.sayLimitIsOfADay) else {
      return Meaning(.rateLimited, "rate_limited")
    }
    return Meaning(
      .quotaExhausted, GeminiQuota.Scope.day.rawValue,
      quota != nil || retryDelay == nil
        ? "The provider's limit for today is used up for this API key: try again tomorrow, or have the limit raised."
        : "The provider's limit for today is used up for this API key: wait until it lets more through, or have the "
          + "limit raised.")
  }

  /// When a limit of a day lets another request through, if that is known. Some limits are restored bit by bit, which
  /// the server's own headers and words tell; what stands beside one of Google's is the delay of another limit.
  private var dayDelay: RetryDelay? { quota.map { GeminiQuota($0, headers: headers).retryDelay } ?? retryDelay }

  /// How long to wait before the next request, at most a day; nil when the server does not say.
  private var retryDelay: RetryDelay? {
    headers.retryDelay ?? resetDelay ?? sentences.lazy.compactMap { RetryDelay(inMessage: $0) }.first
  }

  /// When the exhausted limits are reset: requests, tokens or images, whichever takes longest.
  private var resetDelay: RetryDelay? {
    let delays: [(isUsedUp: Bool, delay: RetryDelay)] = ["requests", "tokens", "images"].compactMap { name in
      guard let text = header("x-ratelimit-reset-\(name)"), let delay = RetryDelay(text) ?? RetryDelay(text + "s")
      else { return nil }
      return (header("x-ratelimit-remaining-\(name)") == "0", delay)
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
      .imageTooLarge, "request_too_large", "The provider does not take a picture that large: choose a smaller one.")
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
    if names.contains("file_too_large") { return tooLarge(context) }
    if names.contains(where: { $0.hasPrefix("unsupported_file") }) { return unreadable(context) }
    if param == "size", !context.isOfWords {
      return Meaning(
        .unsupportedByProvider, "size",
        "The model “\(context.model)” cannot make a picture of that size or shape: leave size and aspectRatio out, or "
          + "choose others.")
    }
    if param == "prompt" {
      return Meaning(
        .wrongRecipeInput, "prompt",
        "The provider cannot use this prompt: make it shorter or put it in other words.")
    }
    let isOfPicture = param.hasPrefix("image") || code.contains("image")
    if !isOfPicture, sentence.contains("not support") || sentence.contains("unsupported") {
      return Meaning(
        .unsupportedByProvider, "unsupported",
        "The provider cannot do that with the model “\(context.model)”: choose another model or provider.")
    }
    return context.hasPictures ? Meaning(.invalidImage, "invalid_argument") : unacceptable
  }
}

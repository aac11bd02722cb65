/// One row of what goes wrong in the cloud, and what a host is told of it.
struct CloudError: Sendable, CustomStringConvertible {
  /// The simulator's name for it.
  var fault: String
  var code: Int
  var kind: String
  var retryable: Bool
  var retryAfterMs: Int?
  /// `details.reason`, where programs may want to tell it from others of its kind.
  var reason: String?

  var description: String { fault }

  init(
    _ fault: String, _ code: Int, _ kind: String, retryable: Bool, after retryAfterMs: Int? = nil, reason: String? = nil
  ) {
    self.fault = fault
    self.code = code
    self.kind = kind
    self.retryable = retryable
    self.retryAfterMs = retryAfterMs
    self.reason = reason
  }

  /// Every HTTP error of Google's API.
  static let statuses: [CloudError] = [
    CloudError("400-key-invalid", 401, "invalid_api_key", retryable: false),
    CloudError("400-bad-field", 400, "wrong_recipe_input", retryable: false),
    CloudError("400-bad-image", 400, "wrong_recipe_input", retryable: false),
    CloudError("400-region", 503, "provider_unavailable", retryable: false),
    CloudError("400-billing", 503, "provider_unavailable", retryable: false),
    CloudError("400-thought-signature", 502, "provider_error", retryable: false),
    CloudError("403-no-key", 403, "provider_denied", retryable: false),
    CloudError("403-permission", 403, "provider_denied", retryable: false),
    CloudError("404-model", 503, "provider_unavailable", retryable: false),
    CloudError("429-minute", 429, "rate_limited", retryable: true, after: 26_000),
    CloudError("429-minute-fraction", 429, "rate_limited", retryable: true, after: 45_838),
    CloudError("429-key", 429, "rate_limited", retryable: true, after: 26_000),
    CloudError("429-day", 429, "quota_exhausted", retryable: true, after: 86_400_000, reason: "quota_day"),
    CloudError("429-zero", 429, "quota_exhausted", retryable: false, reason: "quota_zero"),
    CloudError("429-three-violations", 429, "quota_exhausted", retryable: false, reason: "quota_zero"),
    CloudError("429-bare", 429, "rate_limited", retryable: true, after: 300_000),
    CloudError("429-message-only", 429, "rate_limited", retryable: true, after: 45_570),
    CloudError("499-cancelled", 502, "provider_error", retryable: true),
    CloudError("500-internal", 502, "provider_error", retryable: true),
    CloudError("500-empty", 502, "provider_error", retryable: true),
    CloudError("502-html", 502, "provider_error", retryable: true),
    CloudError("503-overloaded", 503, "provider_unavailable", retryable: true),
    CloudError("503-deadline", 503, "provider_unavailable", retryable: true),
    CloudError("503-in-array", 503, "provider_unavailable", retryable: true),
    CloudError("504-deadline", 504, "provider_timeout", retryable: true),
    CloudError("418-unknown", 502, "provider_error", retryable: true),
    CloudError("413-too-large", 400, "wrong_recipe_input", retryable: false),
  ]

  /// Answers with status 200 and nothing to show.
  static let answers: [CloudError] = [
    CloudError("no-image", 422, "no_image_returned", retryable: true),
    CloudError("no-candidates", 422, "no_image_returned", retryable: true),
    CloudError("empty-candidates", 422, "no_image_returned", retryable: true),
    CloudError("content-empty", 422, "no_image_returned", retryable: true),
    CloudError("no-parts", 422, "no_image_returned", retryable: true),
    CloudError("only-thought-image", 422, "no_image_returned", retryable: true),
    CloudError("finish:NO_IMAGE", 422, "no_image_returned", retryable: true),
    CloudError("finish:IMAGE_SAFETY", 422, "content_blocked", retryable: false),
    CloudError("finish:IMAGE_PROHIBITED_CONTENT", 422, "content_blocked", retryable: false),
    CloudError("finish:SAFETY", 422, "content_blocked", retryable: false),
    CloudError("finish:PROHIBITED_CONTENT", 422, "content_blocked", retryable: false),
    CloudError("finish:BLOCKLIST", 422, "content_blocked", retryable: false),
    CloudError("finish:SPII", 422, "content_blocked", retryable: false),
    CloudError("finish:IMAGE_RECITATION", 422, "content_blocked", retryable: false),
    CloudError("finish:RECITATION", 422, "content_blocked", retryable: false),
    CloudError("finish:LANGUAGE", 422, "content_blocked", retryable: false),
    CloudError("finish:MAX_TOKENS", 502, "provider_error", retryable: true),
    CloudError("finish:IMAGE_OTHER", 502, "provider_error", retryable: true),
    CloudError("finish:OTHER", 502, "provider_error", retryable: true),
    CloudError("finish:MALFORMED_RESPONSE", 502, "provider_error", retryable: true),
    CloudError("block:SAFETY", 422, "content_blocked", retryable: false),
    CloudError("block:PROHIBITED_CONTENT", 422, "content_blocked", retryable: false),
    CloudError("block:BLOCKLIST", 422, "content_blocked", retryable: false),
    CloudError("block:IMAGE_SAFETY", 422, "content_blocked", retryable: false),
    CloudError("block:OTHER", 422, "content_blocked", retryable: false),
    CloudError("truncated-base64", 502, "provider_error", retryable: true),
    CloudError("invalid-base64", 502, "provider_error", retryable: true),
    CloudError("truncated-picture", 502, "provider_error", retryable: true),
    CloudError("truncated-jpeg", 502, "provider_error", retryable: true),
    CloudError("not-an-image", 502, "provider_error", retryable: true),
    CloudError("html-200", 502, "provider_error", retryable: false, reason: "unexpected_answer"),
    CloudError("not-json", 502, "provider_error", retryable: false, reason: "unexpected_answer"),
    CloudError("truncated-json", 502, "provider_error", retryable: true),
    CloudError("empty-200", 502, "provider_error", retryable: true),
    CloudError("deep-json", 502, "provider_error", retryable: true),
  ]

  /// Connections that go wrong.
  static let transport: [CloudError] = [
    CloudError("close-before-head", 502, "provider_error", retryable: true, reason: "connection_lost"),
    CloudError("reset-before-head", 502, "provider_error", retryable: true, reason: "connection_lost"),
    CloudError("reset-mid-body", 502, "provider_error", retryable: true),
    CloudError("truncated-body", 502, "provider_error", retryable: true, reason: "truncated"),
    CloudError("truncated-chunked", 502, "provider_error", retryable: true, reason: "truncated"),
    CloudError("stall-after-head", 504, "provider_timeout", retryable: true, reason: "stalled"),
    CloudError("stall-mid-body", 504, "provider_timeout", retryable: true, reason: "stalled"),
    CloudError("not-http", 502, "provider_error", retryable: true, reason: "malformed_response"),
    CloudError("redirect-to-elsewhere", 503, "provider_unavailable", retryable: true, reason: "redirected"),
  ]
}

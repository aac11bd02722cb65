import AtelierProtocol
import Credentials
import CurlHTTP
import JSONRPC

/// Which limit a 429 is about; the order of the questions matters (GEMINI 3.2).
struct GeminiQuota {
  enum Scope: String {
    /// The plan has none at all.
    case zero = "quota_zero"
    case day = "quota_day"
    case minute = "quota_minute"
    case unknown = "rate_limited"
  }

  let scope: Scope
  /// What the server says; for a daily quota it may be shorter than the truth.
  let retryAfterMs: Int?
  private let quotaId: String?
  /// Whether the limit is one for all models that the key may use; a 429 that does not say is about the model asked.
  private var isAboutKey: Bool { quotaId.map { !$0.isEmpty && !$0.contains("PerModel") } ?? false }

  init(_ error: GeminiErrorBody?, headers: [HTTPHeader] = []) {
    let violations = error?.violations ?? []
    let message = error?.message ?? ""
    let deciding: GeminiErrorBody.Violation?
    if Self.saysZero(message) || violations.contains(where: { $0.quotaValue == "0" }) {
      scope = .zero
      deciding = violations.first { $0.quotaValue == "0" }
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
    retryAfterMs =
      error?.retryDelay.flatMap { RetryDelay($0) }?.milliseconds ?? RetryDelay(inMessage: message)?.milliseconds
      ?? headers.first { $0.name.lowercased() == "retry-after" }.flatMap { RetryDelay($0.value + "s") }?.milliseconds
  }

  /// - Parameter key: kept out of what is told.
  func error(hiding key: APIKey) -> AtelierError {
    var details: JSONObject = ["reason": .string(scope.rawValue)]
    details["quotaId"] = quotaId.flatMap { GeminiName($0, hiding: key) }?.json
    switch scope {
    case .zero:
      return AtelierError(
        .quotaExhausted,
        "The plan of this API key includes no pictures: enable billing in Google AI Studio, or use another provider.",
        details: details, retryable: false)
    case .day:
      if isAboutKey { details["scope"] = "key" }
      return AtelierError(
        .quotaExhausted,
        "Today's quota of this API key is used up: try again tomorrow, or raise it in Google AI Studio.",
        retryAfterMs: retryAfterMs, details: details)
    case .minute, .unknown:
      details["scope"] = isAboutKey ? "key" : "provider"
      return AtelierError(.rateLimited, retryAfterMs: retryAfterMs, details: details)
    }
  }

  /// Whether it speaks of a limit of 0, and not of 0.5 or 05.
  private static func saysZero(_ message: String) -> Bool {
    message.ranges(of: "limit: 0").contains { range in
      let rest = message[range.upperBound...]
      guard let next = rest.first else { return true }
      return !next.isNumber && !(next == "." && rest.dropFirst().first?.isNumber == true)
    }
  }
}

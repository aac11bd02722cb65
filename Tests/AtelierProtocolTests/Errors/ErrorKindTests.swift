import AtelierProtocol
import Localization
import Testing

@Suite("Kinds of errors")
struct ErrorKindTests {
  private static let codes: [Int: Set<String>] = [
    400: ["invalid_image", "invalid_dimensions", "too_many_images", "wrong_recipe_input", "invalid_receipt"],
    401: ["no_api_key", "invalid_api_key", "invalid_identity"], 402: ["insufficient_credits"],
    403: ["permission_denied", "consent_required", "provider_denied", "file_access_denied"],
    404: ["not_found", "template_not_found", "input_expired"], 408: ["timed_out"],
    409: ["idempotency_mismatch", "already_finished", "not_finished"], 413: ["image_too_large"],
    415: ["unsupported_image"],
    422: ["content_blocked", "no_image_returned", "no_face_found", "several_people", "face_too_small", "no_places_found",
      "unsupported_by_provider"],
    429: ["rate_limited", "cooling_down", "daily_limit", "quota_exhausted", "concurrent_limit"],
    500: ["internal", "interrupted"], 502: ["provider_error"],
    503: ["provider_unavailable", "offline", "overloaded", "storage_unavailable"],
    504: ["provider_timeout"], 507: ["storage_full"],
  ]

  @Test("the kinds of errors have the names and codes of the contract")
  func contract() {
    let actual = Dictionary(grouping: ErrorKind.allCases, by: \.code).mapValues { Set($0.map(\.rawValue)) }
    #expect(actual == Self.codes)
  }

  @Test("the sentence of each kind of error is one or two that a person can act on", arguments: ErrorKind.allCases)
  func sentences(kind: ErrorKind) {
    #expect(kind.sentence.text.hasSuffix("."))
    #expect((20...120).contains(kind.sentence.text.count))
    #expect(!kind.sentence.text.contains(kind.rawValue) || kind == .internal || kind == .offline)
  }

  @Test("the sentence of an error tells the wait as a person counts it, rounded up", arguments: [
    (-5, "1 second"), (0, "1 second"), (1, "1 second"), (1001, "2 seconds"), (119_999, "120 seconds"),
    (120_000, "2 minutes"),
    (299_001, "5 minutes"), (7_080_001, "119 minutes"), (7_140_001, "2 hours"), (25_924_000, "8 hours"),
    (86_400_000, "24 hours"),
  ])
  func wait(milliseconds: Int, words: String) {
    for kind in [ErrorKind.rateLimited, .coolingDown, .overloaded] {
      #expect(kind.sentence(retryAfterMs: milliseconds).text.contains("Please wait \(words) and try again."))
    }
    for kind in [ErrorKind.providerError, .providerUnavailable] {
      #expect(kind.sentence(retryAfterMs: milliseconds).text.contains("Please try again in \(words)."))
    }
  }

  @Test("the sentence of an error tells the wait in every language in the same unit", arguments: Language.allCases)
  func waitIn(language: Language) {
    let texts = [2_000, 180_000, 25_924_000].map { ErrorKind.rateLimited.sentence(retryAfterMs: $0).text(in: language) }
    for (text, number) in zip(texts, ["2", "3", "8"]) { #expect(text.contains(number), "\(text)") }
    #expect(Set(texts.map { $0.filter { !$0.isNumber } }).count == 3, "\(texts)")
  }

  @Test("the sentence of an error tells the wait where waiting helps")
  func waits() {
    #expect(ErrorKind.rateLimited.sentence == "Too many requests. Please wait and try again.")
    #expect(ErrorKind.rateLimited.sentence(retryAfterMs: 1) == "Too many requests. Please wait 1 second and try again.")
    #expect(
      ErrorKind.rateLimited.sentence(retryAfterMs: -5) == "Too many requests. Please wait 1 second and try again.")
    #expect(ErrorKind.invalidImage.sentence(retryAfterMs: 5_000) == ErrorKind.invalidImage.sentence)
    #expect(ErrorKind.rateLimited.sentence(retryAfterMs: .max).text.contains("hours"))
  }
}

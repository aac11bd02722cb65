import AtelierProtocol
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

  @Test("the sentence of an error tells the wait in whole seconds where waiting helps")
  func waits() {
    #expect(ErrorKind.rateLimited.sentence == "Too many requests. Please wait and try again.")
    #expect(ErrorKind.rateLimited.sentence(retryAfterMs: 1) == "Too many requests. Please wait 1 second and try again.")
    #expect(
      ErrorKind.coolingDown.sentence(retryAfterMs: 299_001)
        == "The provider asked for a pause. Please wait 300 seconds and try again.")
    #expect(
      ErrorKind.rateLimited.sentence(retryAfterMs: -5) == "Too many requests. Please wait 1 second and try again.")
    #expect(ErrorKind.invalidImage.sentence(retryAfterMs: 5_000) == ErrorKind.invalidImage.sentence)
    #expect(ErrorKind.rateLimited.sentence(retryAfterMs: .max).text.contains("seconds"))
  }
}

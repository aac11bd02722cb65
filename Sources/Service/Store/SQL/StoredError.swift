import AtelierProtocol
import JSON
import Localization

/// An ``AtelierError`` in a column.
struct StoredError: Codable {
  var kind: String
  var message: Sentence
  var retryAfterMs: Int?
  var provider: ProviderID?
  var details: JSONObject
  var retryable: Bool?

  init(_ error: AtelierError) {
    kind = error.kind.rawValue
    message = error.sentence
    retryAfterMs = error.retryAfterMs
    provider = error.provider
    details = error.details
    retryable = error.retryable
  }

  /// The error, for the generation `id`.
  func error(about id: GenerationID) -> AtelierError {
    AtelierError(
      kind: ErrorKind(rawValue: kind) ?? .internal, message: message, retryAfterMs: retryAfterMs, generationId: id,
      provider: provider, details: details, retryable: retryable)
  }
}

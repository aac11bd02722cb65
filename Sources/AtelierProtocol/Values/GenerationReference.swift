/// How a host names one of its generations.
public enum GenerationReference: Hashable, Sendable {
  case id(GenerationID)
  /// The key it was asked for with; unique for an account.
  case idempotencyKey(String)

  /// - Returns: nil unless exactly one is given.
  init?(generationId: GenerationID?, idempotencyKey: String?) {
    switch (generationId, idempotencyKey) {
    case (let id?, nil): self = .id(id)
    case (nil, let key?): self = .idempotencyKey(key)
    default: return nil
    }
  }
}

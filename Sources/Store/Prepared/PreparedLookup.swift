/// What ``Store/prepared(_:account:)`` found.
public enum PreparedLookup: Sendable, Equatable {
  case found(PreparedInput)
  /// It was there; its time is over and its bytes are erased: `input_expired`.
  case expired
  /// This account never had such an input: `not_found`.
  case notFound
}

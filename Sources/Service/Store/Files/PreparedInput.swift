import AtelierProtocol

/// An image prepared by `image/prepare`, kept for `generate` and refinements until it expires.
public struct PreparedInput: Sendable, Equatable {
  public var id: PreparedID
  public var account: AccountID
  public var artifact: StoredArtifact
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  public var created: Timestamp
  public var expires: Timestamp
}

/// The result of ``Store/prepared(_:account:)``.
public enum PreparedLookup: Sendable, Equatable {
  case found(PreparedInput)
  /// It has expired and its bytes are erased: `input_expired`.
  case expired
  /// This account never had such an input: `not_found`.
  case notFound
}

import AtelierProtocol

/// An image made ready by `image/prepare`, kept for `generate` and refinements until it expires.
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

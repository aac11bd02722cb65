import AtelierProtocol

/// A prepared image to keep: its file and for how long.
public struct PreparedKeeping: Sendable {
  /// A new id, made by the caller.
  public var id: PreparedID
  public var account: AccountID
  /// The generation it was made for, whose deletion also deletes it; nil for an image that a host prepared.
  public var generation: GenerationID?
  /// The index of the reference picture, from 0; nil for the photo.
  public var reference: Int?
  /// New bytes, or stored bytes of a photo or result, which are not written again.
  public var source: ArtifactSource
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// 24 hours unless the operator sets another value; 0 keeps nothing: the id is expired from the start.
  public var lifetimeMs: Int64

  public init(
    id: PreparedID, account: AccountID, generation: GenerationID? = nil, reference: Int? = nil, source: ArtifactSource,
    width: Int, height: Int, lifetimeMs: Int64 = 24 * 60 * 60 * 1000
  ) {
    self.id = id
    self.account = account
    self.generation = generation
    self.reference = reference
    self.source = source
    self.width = width
    self.height = height
    self.lifetimeMs = lifetimeMs
  }

  /// Like the other initializer, for new bytes.
  public init(
    id: PreparedID, account: AccountID, generation: GenerationID? = nil, artifact: StagedArtifact, width: Int,
    height: Int, lifetimeMs: Int64 = 24 * 60 * 60 * 1000
  ) {
    self.init(
      id: id, account: account, generation: generation, source: .staged(artifact), width: width, height: height,
      lifetimeMs: lifetimeMs)
  }

  /// The file as rows refer to it, now or later.
  public var artifact: ArtifactSource { source }
}

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

/// A prepared image to keep: its file and for how long.
public struct PreparedKeeping: Sendable {
  /// A new id, made by the caller.
  public var id: PreparedID
  public var account: AccountID
  /// The generation it was made for, which goes and takes it along; nil for one a host prepared.
  public var generation: GenerationID?
  /// Which of the pictures to go by it is, from 0; nil for the photo.
  public var reference: Int?
  /// New bytes, or those of a photo or result the store has, which are not written again.
  public var source: ArtifactSource
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// 24 hours unless the operator says otherwise; 0 keeps nothing: the id is expired from the start (REQUIREMENTS 7.2).
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

  /// The same for new bytes.
  public init(
    id: PreparedID, account: AccountID, generation: GenerationID? = nil, artifact: StagedArtifact, width: Int,
    height: Int, lifetimeMs: Int64 = 24 * 60 * 60 * 1000
  ) {
    self.init(
      id: id, account: account, generation: generation, source: .staged(artifact), width: width, height: height,
      lifetimeMs: lifetimeMs)
  }

  /// The file as rows know it or will.
  public var artifact: ArtifactSource { source }
}

/// What ``Store/prepared(_:account:)`` found.
public enum PreparedLookup: Sendable, Equatable {
  case found(PreparedInput)
  /// It was there; its time is over and its bytes are erased: `input_expired`.
  case expired
  /// This account never had such an input: `not_found`.
  case notFound
}

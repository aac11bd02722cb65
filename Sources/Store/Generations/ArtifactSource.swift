/// Where the bytes of a settled image come from.
public enum ArtifactSource: Sendable, Equatable {
  /// New bytes.
  case staged(StagedArtifact)
  /// Bytes of an earlier generation, as when a request is answered from the cache.
  case stored(StoredArtifact)

  /// The file as rows know it.
  public var artifact: StoredArtifact {
    switch self {
    case .staged(let staged): staged.artifact
    case .stored(let stored): stored
    }
  }
}

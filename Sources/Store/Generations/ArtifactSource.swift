/// Where the bytes of a settled image or a prepared photo come from.
public enum ArtifactSource: Sendable, Equatable {
  /// New bytes.
  case staged(StagedArtifact)
  /// Bytes the store has, as when a request is answered from the cache or made from a photo prepared before.
  case stored(StoredArtifact)

  /// The file as rows know it.
  public var artifact: StoredArtifact {
    switch self {
    case .staged(let staged): staged.artifact
    case .stored(let stored): stored
    }
  }

  /// The file to be placed or discarded; nil when there is none.
  public var staged: StagedArtifact? {
    if case .staged(let staged) = self { staged } else { nil }
  }
}

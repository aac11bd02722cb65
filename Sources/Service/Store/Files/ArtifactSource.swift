/// Where the bytes of the picture of a finished generation or a prepared photo come from.
public enum ArtifactSource: Sendable, Equatable {
  /// New bytes.
  case staged(StagedArtifact)
  /// Bytes the store already has, for example of a cached result or of a photo prepared before.
  case stored(StoredArtifact)
  /// Bytes of a private generation, which exist only in memory; the path of the artifact leads to no file.
  case unstored(StoredArtifact)

  /// The file as rows refer to it.
  public var artifact: StoredArtifact {
    switch self {
    case .staged(let staged): staged.artifact
    case .stored(let artifact), .unstored(let artifact): artifact
    }
  }

  /// The file to place or discard; nil when there is none.
  public var staged: StagedArtifact? {
    if case .staged(let staged) = self { staged } else { nil }
  }
}

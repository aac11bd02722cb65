/// A file that is durable on disk but that no row refers to yet. ``Store/finish(_:)`` or ``Store/keepPrepared(_:)``
/// makes it stay, ``Store/discard(_:)`` removes it, and so does whoever finds its owner dead.
public struct StagedArtifact: Sendable, Hashable {
  /// The file as it will be once a row refers to it; `artifact.path` is where it will be then.
  public let artifact: StoredArtifact
  /// Where the bytes are now.
  public let temporaryPath: String
}

/// One image of a finished generation.
public struct StoredImage: Sendable, Equatable {
  public var index: Int
  public var view: String?
  public var artifact: StoredArtifact
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  public var outputPath: String?
}

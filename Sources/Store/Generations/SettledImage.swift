/// One delivered image and where its bytes are.
public struct SettledImage: Sendable, Equatable {
  /// Position among the images asked for, from 0.
  public var index: Int
  /// `front`, `left`, `right`, `back` for a multi-angle generation.
  public var view: String?
  /// The file, durable before the row names it. A private generation's files are thrown away instead.
  public var artifact: StagedArtifact
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// The copy written to the caller's output directory, when one was asked for.
  public var outputPath: String?

  public init(
    index: Int, view: String? = nil, artifact: StagedArtifact, width: Int, height: Int, outputPath: String? = nil
  ) {
    self.index = index
    self.view = view
    self.artifact = artifact
    self.width = width
    self.height = height
    self.outputPath = outputPath
  }
}

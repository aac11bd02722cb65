/// One delivered image and where its bytes are.
public struct SettledImage: Sendable, Equatable {
  /// Position among the images asked for, from 0.
  public var index: Int
  /// `front`, `left`, `right`, `back` for a multi-angle generation.
  public var view: String?
  /// A private generation keeps the facts about it only: what is staged for it is thrown away.
  public var source: ArtifactSource
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// The copy written to the caller's output directory, when one was asked for.
  public var outputPath: String?
  /// What it costs of the credits held for its generation; 0 for what costs nothing.
  public var credits: Int

  public init(
    index: Int, view: String? = nil, source: ArtifactSource, width: Int, height: Int, outputPath: String? = nil,
    credits: Int = 0
  ) {
    self.index = index
    self.view = view
    self.source = source
    self.width = width
    self.height = height
    self.outputPath = outputPath
    self.credits = credits
  }
}

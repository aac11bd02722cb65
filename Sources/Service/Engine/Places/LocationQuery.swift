import AtelierProtocol

/// A question whether a place exists.
public struct LocationQuery: Sendable, Hashable {
  /// The name of the place and where it is said to be.
  public var text: String
  public var near: SearchArea?
  /// The wanted language of names (BCP 47).
  public var language: String?
  public var generationId: GenerationID
  /// True when nothing of the question may be kept.
  public var isPrivate: Bool
}

/// Names one generation, for as long as its record is kept.
public struct GenerationID: Identifier {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
}

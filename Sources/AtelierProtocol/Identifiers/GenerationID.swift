/// Names one generation, for as long as its record is kept.
public struct GenerationID: Identifier {
  public static let meaning = "Names a generation, for as long as its record is kept."

  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
}

/// What the studio is doing, in order.
public enum HeadshotStage: String, Sendable, CaseIterable {
  /// Levels the head and cuts the square.
  case cropping
  /// Finds the person.
  case segmenting
  /// Finds the edge of the person, hair by hair.
  case matting
  /// Balances light and colour.
  case lighting
  /// Puts the person before the background.
  case composing
  /// Sharpens.
  case finishing
}

/// The stages of the work, in order.
public enum HeadshotStage: String, Sendable, CaseIterable {
  /// Levels the head and cuts the square.
  case cropping
  /// Finds the person.
  case segmenting
  /// Finds the exact edge of the person, including hair.
  case matting
  /// Balances light and colour.
  case lighting
  /// Puts the person before the background, and sharpens.
  case composing
  /// The picture is made.
  case finishing
}

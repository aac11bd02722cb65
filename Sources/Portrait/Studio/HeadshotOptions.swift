/// What the headshot should look like.
public struct HeadshotOptions: Sendable, Equatable {
  public enum Background: String, Sendable, CaseIterable {
    /// A studio backdrop: plain, lit from the front, darker towards the corners.
    case professional
    /// The photo's own background, out of focus.
    case casual
  }

  public var background: Background
  /// The wanted turn of the head, −1…1 (REQUIREMENTS 1.2); negative towards the viewer's left.
  /// It can only be met when the photo already shows it.
  public var angle: Double
  /// 0…3: equally believable pictures that differ in backdrop and light; 0 is the one to start with.
  /// Other numbers wrap around.
  public var variation: Int

  public init(background: Background, angle: Double = 0, variation: Int = 0) {
    self.background = background
    self.angle = angle
    self.variation = variation
  }
}

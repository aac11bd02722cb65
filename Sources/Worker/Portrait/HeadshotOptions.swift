/// The look of the headshot.
public struct HeadshotOptions: Sendable, Equatable {
  public enum Background: Sendable, Equatable {
    /// The studio backdrop where the person can be cut out cleanly, else the photo's own background, out of focus.
    case auto
    /// A studio backdrop: plain, lit from the front, darker towards the corners.
    case professional
    /// The photo's own background, out of focus.
    case casual
    /// The photo's own background, as it is.
    case keep
    /// One colour in sRGB.
    case colour(red: UInt8, green: UInt8, blue: UInt8)
    /// None: the opacity says where the person is.
    case transparent

    var behind: Sharpener.Behind {
      switch self {
      case .auto, .professional, .casual: .scene
      case .keep: .photo
      case .colour: .flat
      case .transparent: .nothing
      }
    }
  }

  public var background: Background
  /// The requested turn of the head, −1…1; negative is towards the viewer's left. The photo must already show it. Nil
  /// keeps the turn of the photo.
  public var angle: Double?
  /// 0…3: the variations of backdrop and light; 0 is the default. Other numbers wrap around.
  public var variation: Int

  public init(background: Background, angle: Double? = nil, variation: Int = 0) {
    self.background = background
    self.angle = angle
    self.variation = variation
  }
}

/// A finished headshot.
public struct Headshot: Sendable, Equatable {
  /// 1024 × 1024 pixels.
  public var image: PixelImage
  /// Everything the person should know, those of locating and planning included.
  public var warnings: [PortraitWarning]

  public init(image: PixelImage, warnings: [PortraitWarning]) {
    self.image = image
    self.warnings = warnings
  }
}

/// A finished headshot.
public struct Headshot: Sendable, Equatable {
  /// In the plan's shape and size; smaller if the photo has too few pixels.
  public var image: PixelImage
  /// The part of the person in each pixel, 0…255, row by row: the opacity of a picture without a background, whose
  /// colours are the person's alone and white where it is 0.
  public var opacity: [UInt8]
  /// All warnings for the person, including those found while locating and planning.
  public var warnings: [PortraitWarning]

  public init(image: PixelImage, opacity: [UInt8], warnings: [PortraitWarning]) {
    self.image = image
    self.opacity = opacity
    self.warnings = warnings
  }
}

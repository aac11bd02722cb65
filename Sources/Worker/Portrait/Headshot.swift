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

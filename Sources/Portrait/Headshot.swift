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

/// The look of the headshot.
public struct HeadshotOptions: Sendable, Equatable {
  public enum Background: Sendable, Equatable {
    /// A studio backdrop: plain, lit from the front, darker towards the corners.
    case professional
    /// The photo's own background, out of focus.
    case casual
    /// One colour in sRGB.
    case colour(red: UInt8, green: UInt8, blue: UInt8)
    /// None: the opacity says where the person is.
    case transparent

    var behind: Sharpener.Behind {
      switch self {
      case .professional, .casual: .scene
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

/// The part of the photo that a headshot needs, and its scale.
///
/// The caller cuts `region` out of the upright photo, at `scale` or larger, and passes it to
/// ``Studio/headshot(region:plan:options:progress:)``.
public struct HeadshotPlan: Sendable, Equatable {
  /// The part that is needed, in pixels of the whole upright photo; always inside it.
  public var region: PixelRectangle
  /// The scale that suffices, at most 1: each pixel of the headshot is one of the region.
  public var scale: Double
  /// The square that becomes the headshot, in pixels of the photo.
  public var square: CropSquare
  /// The face's upright box, in pixels of the photo.
  public var faceBox: Rectangle
  /// The upright boxes of other people's faces, in pixels of the photo.
  public var otherBoxes: [Rectangle]
  /// The face that the plan was made for.
  public var face: FaceLocation
  /// The warnings known so far: those of the face, `low_resolution`, `tight_crop`.
  public var warnings: [PortraitWarning]
  /// The shape and size of the headshot.
  public var shape = PictureShape.square
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

import AtelierProtocol

/// The shape and size of a headshot.
public struct HeadshotShape: Codable, Sendable, Equatable {
  /// The width, in parts of which `height` says how many the height has.
  public var width: Int
  /// At least the width.
  public var height: Int
  /// The pixels of the longest side; beyond 1024, no more than the photo shows.
  public var longestSide: Int
  /// Whether the picture has exactly these sides, also if the photo shows less.
  public var isExact = false
  /// The head is placed as in this photo for a passport; nil for a portrait.
  public var passport: PassportPhoto?
  /// Whether the picture shows the whole photo, in whose shape it is.
  public var isWholeFrame = false

  public init(width: Int = 1, height: Int = 1, longestSide: Int = 1024) {
    self.width = width
    self.height = height
    self.longestSide = longestSide
  }

  /// A photo for a passport in the shape of its size in print.
  public static func passport(_ photo: PassportPhoto, printed: PrintSize, longestSide: Int) -> HeadshotShape {
    // Thousandths of a millimetre.
    var shape = HeadshotShape(
      width: Int((printed.width * 1000).rounded()), height: Int((printed.height * 1000).rounded()),
      longestSide: longestSide)
    shape.passport = photo
    return shape
  }

  /// A photo for a passport of exactly these sides in pixels.
  public static func passport(_ photo: PassportPhoto, width: Int, height: Int) -> HeadshotShape {
    var shape = HeadshotShape(width: width, height: height, longestSide: height)
    (shape.passport, shape.isExact) = (photo, true)
    return shape
  }

  public static func wholeFrame(longestSide: Int) -> HeadshotShape {
    var shape = HeadshotShape(longestSide: longestSide)
    shape.isWholeFrame = true
    return shape
  }
}

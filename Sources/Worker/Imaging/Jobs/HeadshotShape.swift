import AtelierProtocol

/// The shape and size of a headshot.
public struct HeadshotShape: Codable, Sendable, Equatable {
  /// The width, in parts of which `height` says how many the height has.
  public var width: Int
  /// At least the width.
  public var height: Int
  /// The pixels of the longest side; beyond 1024, no more than the photo shows.
  public var longestSide: Int
  /// The head is placed as in a passport of this size; nil for a portrait.
  public var passport: PassportSize?
  /// Whether the picture shows the whole photo, in whose shape it is.
  public var isWholeFrame = false

  public init(width: Int = 1, height: Int = 1, longestSide: Int = 1024) {
    self.width = width
    self.height = height
    self.longestSide = longestSide
  }

  public static func passport(_ size: PassportSize = .standard, longestSide: Int) -> HeadshotShape {
    var shape = HeadshotShape(width: size.parts.width, height: size.parts.height, longestSide: longestSide)
    shape.passport = size
    return shape
  }

  public static func wholeFrame(longestSide: Int) -> HeadshotShape {
    var shape = HeadshotShape(longestSide: longestSide)
    shape.isWholeFrame = true
    return shape
  }
}

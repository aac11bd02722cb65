/// The shape and size of the finished picture: a square, or the middle columns of one.
///
/// Everything up to the composition works on a square whose side is the picture's height, so that a taller picture shows
/// the head at the same part of its width.
public struct PictureShape: Sendable, Equatable {
  /// How the head is placed.
  public enum Placement: Sendable, Equatable {
    /// As in a portrait: moved and enlarged where the photo ends.
    case portrait
    /// By the rules for a passport.
    case passport(PassportGeometry)
    /// All of the photo is shown, as it is.
    case wholeFrame
  }

  /// The width, in parts of which `height` says how many the height has.
  public var width: Int
  /// At least the width.
  public var height: Int
  /// The pixels of the longest side; beyond ``usualSide``, no more than the photo shows.
  public var longestSide: Int
  public var placement: Placement
  /// Whether the picture has exactly ``longestSide``, also if the photo shows less.
  public var isExact: Bool

  public init(
    width: Int = 1, height: Int = 1, longestSide: Int = usualSide, placement: Placement = .portrait, isExact: Bool = false
  ) {
    self.width = width
    self.height = height
    self.longestSide = longestSide
    self.placement = placement
    self.isExact = isExact
  }

  /// The longest side, in pixels, up to which a picture is enlarged if the photo shows less.
  public static let usualSide = 1024
  public static let square = PictureShape()

  /// The shape of a photo that is shown whole.
  /// - Parameters:
  ///   - width: the photo's sides in pixels.
  ///   - longestSide: of the picture in pixels; a smaller photo is not enlarged.
  static func wholeFrame(width: Int, height: Int, longestSide: Int) -> PictureShape {
    PictureShape(
      width: width, height: height, longestSide: min(longestSide, max(width, height)), placement: .wholeFrame)
  }

  /// The width as a part of the height, at most 1.
  var aspect: Double { Double(width) / Double(height) }

  /// How far down the picture the eyes of a portrait are, as a part of its height: of what a picture is taller than wide,
  /// about a quarter comes above the head.
  var eyeHeight: Double { CropTuning.Planner.eyeHeight * aspect + CropTuning.Shape.aboveHead * (1 - aspect) }

  /// The picture's height in pixels.
  /// - Parameter side: the height of what the picture shows, in pixels of the photo.
  func height(showing side: Double) -> Int {
    isExact || longestSide <= Self.usualSide ? longestSide : max(Self.usualSide, min(longestSide, Int(side.rounded(.down))))
  }

  /// The columns of a square of `side` pixels that make the picture.
  func columns(ofSquare side: Int) -> Range<Int> {
    let width = max(1, Int((Double(side) * aspect).rounded()))
    let first = (side - width) / 2
    return first..<first + width
  }

  /// Whether the sides can be those of a picture.
  var isPlausible: Bool {
    width > 0 && height >= width && height <= width * 2 && (16...8192).contains(longestSide)
  }
}

/// The allowed dimensions of a picture, checked against its header before anything is decoded.
public struct ImageLimits: Codable, Sendable, Equatable {
  /// The minimum length of either side, in pixels.
  public var minimumSide: Int
  /// The maximum length of either side, in pixels.
  public var maximumSide: Int
  /// The maximum number of pixels.
  public var maximumPixels: Int
  /// The same of a picture that is decoded at a part of its size.
  public var maximumReducedPixels: Int

  /// - Parameter maximumReducedPixels: nil for no more than `maximumPixels`.
  public init(minimumSide: Int, maximumSide: Int, maximumPixels: Int, maximumReducedPixels: Int? = nil) {
    self.minimumSide = minimumSide
    self.maximumSide = maximumSide
    self.maximumPixels = maximumPixels
    self.maximumReducedPixels = maximumReducedPixels ?? maximumPixels
  }

  /// The limits of `generate`: sides of 40 to 4096 pixels. A headshot judges the face by its own width, which is no less;
  /// the other recipes are spared what shows nothing.
  public static let generation = ImageLimits(minimumSide: 40, maximumSide: 4096, maximumPixels: 60_000_000)
  /// The limits of `image/prepare`: up to 60 megapixels, 250 of a JPEG; larger pictures are scaled down, none is scaled up.
  public static let preparation = ImageLimits(
    minimumSide: 1, maximumSide: 65_535, maximumPixels: 60_000_000, maximumReducedPixels: 250_000_000)
}

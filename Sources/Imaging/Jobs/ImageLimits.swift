/// The dimensions a picture may have, judged by its header before anything is decoded.
public struct ImageLimits: Codable, Sendable, Equatable {
  /// The least length of either side, in pixels.
  public var minimumSide: Int
  /// The greatest length of either side, in pixels.
  public var maximumSide: Int
  /// The greatest number of pixels.
  public var maximumPixels: Int

  public init(minimumSide: Int, maximumSide: Int, maximumPixels: Int) {
    self.minimumSide = minimumSide
    self.maximumSide = maximumSide
    self.maximumPixels = maximumPixels
  }

  /// What `generate` accepts: sides of 256 to 4096 pixels (REQUIREMENTS 2.3).
  public static let generation = ImageLimits(minimumSide: 256, maximumSide: 4096, maximumPixels: 60_000_000)
  /// What `image/prepare` accepts: up to 60 megapixels; larger pictures are scaled down, none is scaled up
  /// (REQUIREMENTS 2.3).
  public static let preparation = ImageLimits(minimumSide: 1, maximumSide: 65_535, maximumPixels: 60_000_000)
}

/// Makes a small JPEG or PNG of a picture: upright, sRGB, no metadata, perhaps with a watermark over all of it.
public struct ThumbnailJob: ImagingJob, Equatable {
  public static let method = "image/thumbnail"

  /// The longest side, in pixels; smaller pictures keep their size.
  public var longestSide: Int
  /// The JPEG quality, 1…100.
  public var quality: Int
  /// Whether it is a PNG, which has no quality.
  public var isPNG: Bool
  /// The number of bytes of the watermark, which follow those of the picture in the input; 0 for none.
  public var watermarkBytes: Int

  public init(longestSide: Int, quality: Int = 75, isPNG: Bool = false, watermarkBytes: Int = 0) {
    self.longestSide = longestSide
    self.quality = quality
    self.isPNG = isPNG
    self.watermarkBytes = watermarkBytes
  }

  public struct Report: Codable, Sendable, Equatable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }
}

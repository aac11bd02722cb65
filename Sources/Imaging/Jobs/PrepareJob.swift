/// Makes a picture fit to be sent: upright, sRGB, no metadata, not too large (REQUIREMENTS 2.4).
public struct PrepareJob: ImagingJob, Equatable {
  public static let method = "image/prepare"

  public var limits: ImageLimits
  /// The longest side of the outcome, in pixels.
  public var longestSide: Int
  /// The JPEG quality to begin with, 1…100; it steps down until the outcome fits `maximumBytes`.
  public var quality: Int
  /// The most bytes the outcome may have.
  public var maximumBytes: Int

  public init(
    limits: ImageLimits = .preparation, longestSide: Int = 1280, quality: Int = 70, maximumBytes: Int = 2_000_000
  ) {
    self.limits = limits
    self.longestSide = longestSide
    self.quality = quality
    self.maximumBytes = maximumBytes
  }

  public struct Report: Codable, Sendable, Equatable {
    public var format: ImageFormat
    public var width: Int
    public var height: Int
    public var original: ImageInfo
    /// What was done, in the order of ``ImageChange``; empty when the picture was passed through untouched, and then
    /// there is no output: the input is the outcome.
    public var changes: [ImageChange]

    public init(format: ImageFormat, width: Int, height: Int, original: ImageInfo, changes: [ImageChange]) {
      self.format = format
      self.width = width
      self.height = height
      self.original = original
      self.changes = changes
    }
  }
}

/// Prepares a picture to be sent: upright, sRGB, no metadata, not too large.
public struct PrepareJob: ImagingJob, Equatable {
  public static let method = "image/prepare"

  /// The largest file that is prepared, in bytes: room for 60 megapixels as a JPEG of high quality, or 200 as phones write
  /// them.
  public static let maximumInputBytes = 40_000_000

  public var limits: ImageLimits
  /// The longest side of the result, in pixels.
  public var longestSide: Int
  /// The initial JPEG quality, 1…100; it is reduced until the result fits `maximumBytes`.
  public var quality: Int
  /// The maximum size of the result in bytes.
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
    /// The changes made, in the order of ``ImageChange``; empty when the picture was passed through unchanged, and
    /// then there is no output: the input is the result.
    public var changes: [ImageChange]
    public var warnings: [ImagingWarning]

    public init(
      format: ImageFormat, width: Int, height: Int, original: ImageInfo, changes: [ImageChange],
      warnings: [ImagingWarning]
    ) {
      self.format = format
      self.width = width
      self.height = height
      self.original = original
      self.changes = changes
      self.warnings = warnings
    }
  }
}

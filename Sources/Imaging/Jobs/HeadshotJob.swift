/// Makes a headshot of the one person in a photo, on this machine (REQUIREMENTS 3.1).
public struct HeadshotJob: ImagingJob, Equatable {
  public static let method = "image/headshot"

  public enum Background: String, Codable, Sendable, CaseIterable {
    case professional, casual
  }

  public var limits: ImageLimits
  public var background: Background
  /// The wanted turn of the head, −1…1, negative towards the viewer's left; it can only be met when the photo
  /// already shows it.
  public var angle: Double
  /// 0…3: equally believable pictures that differ in backdrop and light.
  public var variation: Int

  public init(
    background: Background, angle: Double = 0, variation: Int = 0, limits: ImageLimits = .generation
  ) {
    self.limits = limits
    self.background = background
    self.angle = angle
    self.variation = variation
  }

  public struct Report: Codable, Sendable, Equatable {
    public var width: Int
    public var height: Int
    public var original: ImageInfo
    public var warnings: [ImagingWarning]

    public init(width: Int, height: Int, original: ImageInfo, warnings: [ImagingWarning]) {
      self.width = width
      self.height = height
      self.original = original
      self.warnings = warnings
    }
  }
}

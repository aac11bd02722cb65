import AtelierProtocol

/// Makes a headshot of the only person in a photo, on this machine.
public struct HeadshotJob: ImagingJob, Equatable {
  public static let method = "image/headshot"
  public static let asksNetworks = true

  public var limits: ImageLimits
  public var background: Background
  /// The requested turn of the head, −1…1, negative towards the viewer's left; only achievable when the photo
  /// already shows it. Nil keeps the turn of the photo.
  public var angle: Double?
  /// 0…3: equally plausible pictures that differ in backdrop and light.
  public var variation: Int
  public var format: PictureFormat
  /// 1…100, of a format that has one; nil for the usual one.
  public var quality: Int?
  /// The most bytes that the picture's file may have; the quality is lowered for it.
  public var maximumBytes: Int?
  /// The fewest bytes that the file of a JPEG may have.
  public var minimumBytes: Int?
  public var shape: HeadshotShape
  /// Whether to return the matte as well.
  public var wantsMatte: Bool
  /// How to prepare the photo as well, of which the headshot decodes what is needed; nil to leave it.
  public var preparation: PrepareJob?

  public init(
    background: Background, angle: Double? = nil, variation: Int = 0, format: PictureFormat = .jpeg,
    quality: Int? = nil, maximumBytes: Int? = nil, minimumBytes: Int? = nil, shape: HeadshotShape = HeadshotShape(),
    wantsMatte: Bool = false, limits: ImageLimits = .generation, preparation: PrepareJob? = nil
  ) {
    self.limits = limits
    self.background = background
    self.angle = angle
    self.variation = variation
    self.format = format
    self.quality = quality
    self.maximumBytes = maximumBytes
    self.minimumBytes = minimumBytes
    self.shape = shape
    self.wantsMatte = wantsMatte
    self.preparation = preparation
  }

  public struct Report: Codable, Sendable, Equatable {
    public var format: ImageFormat
    public var width: Int
    public var height: Int
    public var original: ImageInfo
    public var warnings: [ImagingWarning]
    /// The number of bytes of the headshot; those of the matte and of the prepared photo follow it in the output.
    public var pictureBytes: Int
    /// The number of bytes of the matte; 0 if it was not asked for.
    public var matteBytes: Int
    public var prepared: PrepareJob.Report?
    /// The operator's networks that failed, and are not asked any more; nil if none did.
    public var failedNetworks: [NetworksJob.Finding]?

    public init(
      format: ImageFormat, width: Int, height: Int, original: ImageInfo, warnings: [ImagingWarning], pictureBytes: Int,
      matteBytes: Int = 0, prepared: PrepareJob.Report?
    ) {
      self.format = format
      self.width = width
      self.height = height
      self.original = original
      self.warnings = warnings
      self.pictureBytes = pictureBytes
      self.matteBytes = matteBytes
      self.prepared = prepared
    }
  }
}

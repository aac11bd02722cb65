import AtelierProtocol

/// A job of the imaging worker. The stored properties are the parameters; the picture's bytes are sent separately.
///
/// On the worker's pipes a job is a JSON-RPC request with the parameters ``JobParameters`` and the result
/// ``JobResult``.
public protocol ImagingJob: Codable, Sendable {
  /// The worker's report on the job; the output's bytes are sent separately.
  associatedtype Report: Codable & Sendable
  static var method: String { get }
}

/// The parameters of the worker's requests.
public struct JobParameters<Job: ImagingJob>: Codable, Sendable {
  public var job: Job
  /// The number of input bytes that follow on the input pipe.
  public var inputBytes: Int

  public init(job: Job, inputBytes: Int) {
    self.job = job
    self.inputBytes = inputBytes
  }
}

/// The result of the worker's requests.
public struct JobResult<Report: Codable & Sendable>: Codable, Sendable {
  public var report: Report
  /// The number of output bytes that follow on the output pipe.
  public var outputBytes: Int

  public init(report: Report, outputBytes: Int) {
    self.report = report
    self.outputBytes = outputBytes
  }
}

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

/// Reads only a picture's header.
public struct ProbeJob: ImagingJob, Equatable {
  public typealias Report = ImageInfo
  public static let method = "image/probe"

  public var limits: ImageLimits

  public init(limits: ImageLimits = .preparation) {
    self.limits = limits
  }
}

/// Makes a small JPEG of a picture: upright, sRGB, no metadata.
public struct ThumbnailJob: ImagingJob, Equatable {
  public static let method = "image/thumbnail"

  /// The longest side, in pixels; smaller pictures keep their size.
  public var longestSide: Int
  /// The JPEG quality, 1…100.
  public var quality: Int

  public init(longestSide: Int, quality: Int = 75) {
    self.longestSide = longestSide
    self.quality = quality
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

/// Asks the worker for its versions and whether its installation is complete; for `atelier doctor`.
public struct VersionsJob: ImagingJob, Equatable {
  public static let method = "worker/versions"

  public init() {}

  public struct Report: Codable, Sendable, Equatable {
    /// The version of libvips, such as "8.14.1".
    public var libvips: String
    /// The formats that can be read; all of ``ImageFormat`` on a complete installation.
    public var readableFormats: [ImageFormat]
    /// True when the embedded networks are those that this version was built with, and can be run.
    public var modelsUsable: Bool
    /// Why the networks cannot be used.
    public var modelsProblem: String?

    public init(libvips: String, readableFormats: [ImageFormat], modelsUsable: Bool, modelsProblem: String? = nil) {
      self.libvips = libvips
      self.readableFormats = readableFormats
      self.modelsUsable = modelsUsable
      self.modelsProblem = modelsProblem
    }
  }
}

/// Makes a headshot of the only person in a photo, on this machine.
public struct HeadshotJob: ImagingJob, Equatable {
  public static let method = "image/headshot"

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
  public var shape: HeadshotShape
  /// Whether to return the matte as well.
  public var wantsMatte: Bool
  /// How to prepare the photo as well, of which the headshot decodes what is needed; nil to leave it.
  public var preparation: PrepareJob?

  public init(
    background: Background, angle: Double? = nil, variation: Int = 0, format: PictureFormat = .jpeg,
    quality: Int? = nil, maximumBytes: Int? = nil, shape: HeadshotShape = HeadshotShape(), wantsMatte: Bool = false,
    limits: ImageLimits = .generation, preparation: PrepareJob? = nil
  ) {
    self.limits = limits
    self.background = background
    self.angle = angle
    self.variation = variation
    self.format = format
    self.quality = quality
    self.maximumBytes = maximumBytes
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

/// The worker's steps for a headshot, in order.
public enum HeadshotStep: String, Codable, Sendable, CaseIterable {
  case decoding, locating, cropping, segmenting, matting, lighting, composing, finishing, encoding
}

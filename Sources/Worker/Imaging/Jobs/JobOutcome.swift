/// The result of a job: the report, and the bytes of the resulting picture, if any.
public struct JobOutcome<Report: Codable & Sendable>: Sendable {
  public var report: Report
  public var output: [UInt8]

  public init(report: Report, output: [UInt8] = []) {
    self.report = report
    self.output = output
  }
}

/// The worker's notification that it has received a job with all of its input. From here on, the picture is to blame
/// for a crash; before, the job can be given to another worker.
public enum JobBegun {
  public static let method = "job/begun"
}

/// The worker's notification about the job it is doing.
public struct JobProgress: Codable, Sendable, Equatable {
  public static let method = "job/progress"

  public var step: HeadshotStep
  /// The completed fraction of the whole job, 0…1, never decreasing.
  public var fraction: Double

  public init(step: HeadshotStep, fraction: Double) {
    self.step = step
    self.fraction = fraction
  }
}

/// A warning to the person about a picture that was made nevertheless.
public struct ImagingWarning: Codable, Sendable, Equatable {
  /// The stable name in the protocol, such as `low_resolution` or `hdr_not_converted`; more may be added.
  public var kind: String
  /// One sentence that a person can act on.
  public var message: String

  public init(kind: String, message: String) {
    self.kind = kind
    self.message = message
  }
}

/// A change made to a picture to prepare it; the names are used in the protocol's `image/prepare`.
public enum ImageChange: String, Codable, Sendable, CaseIterable {
  /// Rotated or mirrored to upright.
  case rotated
  /// Scaled down.
  case resized
  /// EXIF, location, XMP, IPTC, comments, embedded previews or a colour profile were removed.
  case metadataRemoved = "metadata_removed"
  /// Converted to sRGB with 8 bits per channel.
  case colorConverted = "color_converted"
  /// Composited on white where it was transparent.
  case transparencyFlattened = "transparency_flattened"
  /// Converted to JPEG from another format.
  case formatChanged = "format_changed"
  /// Compressed again as JPEG.
  case recompressed
}

/// A headshot made on this machine.
public struct HeadshotImage: Sendable, Equatable {
  /// sRGB, no metadata.
  public var image: EncodedImage
  public var original: ImageInfo
  public var warnings: [ImagingWarning]
  /// The part of the person in each pixel as a gray level of 8 bits, if the job asked for it; as large as the image.
  public var matte: EncodedImage?
  /// The prepared photo, if the job asked for it.
  public var prepared: PreparedImage?

  public init(
    image: EncodedImage, original: ImageInfo, warnings: [ImagingWarning], prepared: PreparedImage? = nil
  ) {
    self.image = image
    self.original = original
    self.warnings = warnings
    self.prepared = prepared
  }
}

/// A picture prepared to be sent to a provider.
public struct PreparedImage: Sendable, Equatable {
  public var image: EncodedImage
  public var original: ImageInfo
  /// The changes made; empty when `image` is the input, byte for byte.
  public var changes: [ImageChange]
  public var warnings: [ImagingWarning]

  public init(image: EncodedImage, original: ImageInfo, changes: [ImageChange], warnings: [ImagingWarning] = []) {
    self.image = image
    self.original = original
    self.changes = changes
    self.warnings = warnings
  }
}

import Localization

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

/// A warning to the person about a picture that was made nevertheless.
public struct ImagingWarning: Codable, Sendable, Equatable {
  /// The stable name in the protocol, such as `low_resolution` or `hdr_not_converted`; more may be added.
  public var kind: String
  /// One sentence that a person can act on.
  public var message: Sentence

  public init(kind: String, message: Sentence) {
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

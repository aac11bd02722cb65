import PictureFiles

/// The facts about a received picture that can be found without decoding it: its format, its dimensions, and that it is
/// complete (GEMINI 2, rule 5).
///
/// Pure, and linear in the length of the file. Bytes after the end of a picture, where provenance data may be stored,
/// are ignored; whether the pixels can be decoded is for the worker to find out.
public struct ReceivedPicture: Sendable, Equatable {
  /// Why the data is not a complete picture.
  public enum Problem: Error, Sendable, Equatable {
    case notAPicture
    /// A known type that Atelier does not read, with its article: "a GIF picture".
    case unsupported(String)
    /// Truncated, or damaged so that its end or its dimensions cannot be found.
    case incomplete
    /// It declares more pixels than should be decoded.
    case tooLarge(width: Int, height: Int)
  }

  public var format: ImageFormat
  /// Pixels as stored; an EXIF rotation is not taken into account.
  public var width: Int
  public var height: Int

  public var mimeType: String { format.mimeType }

  /// - Parameters:
  ///   - limits: the allowed dimensions.
  ///   - mayLackEnd: whether a JPEG without its end marker is one as well.
  public init(_ bytes: [UInt8], limits: ImageLimits = .preparation, mayLackEnd: Bool = false) throws(Problem) {
    switch RecognisedContent(of: bytes) {
    case .picture(let format): self.format = format
    case .other("a text"), .other("a web page"), .empty, .unknown: throw .notAPicture
    case .other(let name): throw .unsupported(name)
    }
    let sides: PictureSides? =
      switch format {
      case .jpeg: PictureSides(jpeg: bytes, mayLackEnd: mayLackEnd)
      case .png: PictureSides(png: bytes)
      case .webp: PictureSides(webp: bytes)
      case .heic, .avif: PictureSides(media: bytes)
      }
    guard let sides, sides.width > 0, sides.height > 0 else { throw .incomplete }
    (width, height) = (sides.width, sides.height)
    let isTooLong = max(width, height) > limits.maximumSide
    let (pixels, isHuge) = width.multipliedReportingOverflow(by: height)
    if isTooLong || isHuge || pixels > limits.maximumPixels { throw .tooLarge(width: width, height: height) }
  }
}

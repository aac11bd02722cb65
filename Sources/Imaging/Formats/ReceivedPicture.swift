/// What can be told of a picture somebody sent, without decoding it: what it is, how large, and that it is whole
/// (GEMINI 2, rule 5).
///
/// Pure, and linear in the length of the file. Bytes behind the end of a picture, where provenance data may stand, are
/// none of its business; whether the pixels can be decoded is the worker's.
public struct ReceivedPicture: Sendable, Equatable {
  /// Why something is no whole picture.
  public enum Problem: Error, Sendable, Equatable {
    case notAPicture
    /// Something known that Atelier does not read, with its article: "a GIF picture".
    case unsupported(String)
    /// It is cut off, or damaged so that its end or its size cannot be found.
    case incomplete
    /// It promises more pixels than anybody should decode.
    case tooLarge(width: Int, height: Int)
  }

  public var format: ImageFormat
  /// Pixels as stored; a turn by EXIF is not taken into account.
  public var width: Int
  public var height: Int

  public var mimeType: String { format.mimeType }

  /// - Parameter limits: how large it may be.
  public init(_ bytes: [UInt8], limits: ImageLimits = .preparation) throws(Problem) {
    switch RecognisedContent(of: bytes) {
    case .picture(let format): self.format = format
    case .other("a text"), .other("a web page"), .empty, .unknown: throw .notAPicture
    case .other(let name): throw .unsupported(name)
    }
    let sides: PictureSides? =
      switch format {
      case .jpeg: PictureSides(jpeg: bytes)
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

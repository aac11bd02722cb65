/// A photo that is what preparing would make of it, as its bytes alone show: 8-bit RGB without alpha, upright, nothing
/// in it but pixels, within the limits (REQUIREMENTS 2.4). It can be sent as it is, and the worker is not needed.
///
/// The rule is that of ``PrepareJob``. Where the bytes leave a doubt there is none, and the worker decides; it also
/// decodes the pixels, which nobody has done here.
public struct PlainPhoto: Sendable, Equatable {
  public var format: ImageFormat
  public var width: Int
  public var height: Int

  /// Linear in the length of the file, which is looked at only when it is short enough.
  /// - Returns: nil when the photo has to be prepared, or may have to be.
  public init?(_ bytes: [UInt8], for job: PrepareJob) {
    guard bytes.count <= job.maximumBytes, case .picture(let format) = RecognisedContent(of: bytes),
      PlainFile.holdsOnlyPixels(bytes, format: format)
    else { return nil }
    let sides: PictureSides? =
      switch format {
      case .jpeg: Self.isPlainJPEG(bytes) ? PictureSides(jpeg: bytes) : nil
      case .png: Self.isPlainPNG(bytes) ? PictureSides(png: bytes) : nil
      case .webp: Self.isPlainWebP(bytes) ? PictureSides(webp: bytes) : nil
      case .heic, .avif: nil
      }
    guard let sides, max(sides.width, sides.height) <= job.longestSide else { return nil }
    do throws(ImagingError) {
      try job.limits.check(width: sides.width, height: sides.height)
    } catch {
      return nil
    }
    (self.format, width, height) = (format, sides.width, sides.height)
  }

  private static func isPlainJPEG(_ bytes: [UInt8]) -> Bool {
    guard var segments = JPEGSegments(bytes) else { return false }
    var frames: [JPEGFrame?] = []
    while let segment = segments.next(), !segment.isEndOfImage {
      if segment.isFrame { frames.append(JPEGFrame(segment.data)) }
    }
    guard frames.count == 1, let frame = frames[0] else { return false }
    return frame.bitsPerChannel == 8 && frame.channels == 3
  }

  /// A palette may be grey, and a `tRNS` chunk makes transparent: the worker knows.
  private static func isPlainPNG(_ bytes: [UInt8]) -> Bool {
    guard var chunks = PNGChunks(bytes), let header = chunks.next().flatMap(PNGHeader.init) else { return false }
    guard header.bitsPerChannel == 8, header.colourType == 2 else { return false }
    while let chunk = chunks.next() {
      if chunk.name == "tRNS" || chunk.name == "IHDR" { return false }
    }
    return true
  }

  /// One picture, and no word of anything else in a header before it.
  private static func isPlainWebP(_ bytes: [UInt8]) -> Bool {
    guard var chunks = WebPChunks(bytes) else { return false }
    var headers: [WebPHeader?] = []
    while let chunk = chunks.next() { headers.append(WebPHeader(chunk)) }
    guard headers.count == 1, let header = headers[0] else { return false }
    return !header.hasAlpha
  }
}

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

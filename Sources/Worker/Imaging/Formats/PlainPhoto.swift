import PictureFiles

/// A photo that preparation would not change, judging by its bytes alone: 8-bit RGB without alpha, upright, nothing but
/// pixels, within the limits. It can be sent unchanged, without the worker.
///
/// The rule is that of ``PrepareJob``. In case of doubt there is no plain photo, and the worker decides; the worker
/// also decodes the pixels, which is not done here.
public struct PlainPhoto: Sendable, Equatable {
  public var format: ImageFormat
  public var width: Int
  public var height: Int

  /// Linear in the length of the file, which is examined only if it is short enough.
  /// - Returns: nil when the photo must be prepared, or may have to be.
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

  /// Excludes palettes, which may be grey, and `tRNS` chunks, which add transparency: the worker handles those.
  private static func isPlainPNG(_ bytes: [UInt8]) -> Bool {
    guard var chunks = PNGChunks(bytes), let header = chunks.next().flatMap(PNGHeader.init) else { return false }
    guard header.bitsPerChannel == 8, header.colourType == 2 else { return false }
    while let chunk = chunks.next() {
      if chunk.name == "tRNS" || chunk.name == "IHDR" { return false }
    }
    return true
  }

  /// Requires exactly one image, and no sign of anything else in a header before it.
  private static func isPlainWebP(_ bytes: [UInt8]) -> Bool {
    guard var chunks = WebPChunks(bytes) else { return false }
    var headers: [WebPHeader?] = []
    while let chunk = chunks.next() { headers.append(WebPHeader(chunk)) }
    guard headers.count == 1, let header = headers[0] else { return false }
    return !header.hasAlpha
  }
}

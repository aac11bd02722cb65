import CVips
import Imaging
import JSONRPC
import Portrait

/// A picture that was recognised, whose header was read and found within the limits. Pixels come on request:
/// upright, sRGB, 8 bits, without alpha.
final class Photo {
  let input: InputBytes
  let info: ImageInfo
  private let storedWidth: Int
  private let storedHeight: Int
  /// All pixels as stored, for the formats that can only be decoded whole.
  private var decoded: VipsImage?

  /// Recognises the content before any decoder sees it, and reads the header.
  /// - Throws: `unsupported_image`, `invalid_image` or `invalid_dimensions`.
  init(_ input: InputBytes, limits: ImageLimits) throws(ImagingError) {
    let content = input.withBytes { RecognisedContent(of: $0) }
    guard case .picture(let format) = content else { throw ImagingError(refusing: content) ?? .unreadable }
    self.input = input
    // What the job before this one left says nothing about this picture.
    _ = VipsFailure.takeNotes()
    do {
      let header = try Self.load(input, format, shrink: 1)
      info = Self.info(header, format: format, bytes: input.count)
      storedWidth = header.width
      storedHeight = header.height
    } catch {
      throw ImagingError(unreadable: error)
    }
    try limits.check(width: info.width, height: info.height)
  }

  /// The whole picture.
  /// - Parameter longestSide: in pixels; smaller pictures keep their size.
  func pixels(longestSide: Int) throws(ImagingError) -> VipsImage {
    let size = info.size(longestSide: longestSide)
    return try pixels(
      of: PixelRectangle(x: 0, y: 0, width: info.width, height: info.height), width: size.width, height: size.height)
  }

  /// A part of the upright picture, scaled.
  /// - Parameters:
  ///   - region: inside the picture.
  ///   - width: the sides of the outcome, in pixels, not larger than the region's.
  /// - Throws: `invalid_image` when the data are damaged or cut off.
  func pixels(of region: PixelRectangle, width: Int, height: Int) throws(ImagingError) -> VipsImage {
    do throws(VipsFailure) {
      _ = VipsFailure.takeNotes()
      let result = try render(region, width: width, height: height)
      // A decoder that makes up what is missing succeeds; only its notes tell.
      let notes = DecoderNotes(VipsFailure.takeNotes())
      if notes.tellOfDamage { throw VipsFailure(reason: notes.text) }
      return result
    } catch {
      throw ImagingError(unreadable: error)
    }
  }

  /// Keeps all pixels for several requests, where the format can only be decoded whole.
  func keepPixels() throws(ImagingError) {
    guard info.format != .jpeg else { return }
    do {
      decoded = try Self.load(input, info.format, shrink: 1).inMemory()
    } catch {
      throw ImagingError(unreadable: error)
    }
  }

  /// Lets go of what ``keepPixels()`` kept.
  func forgetPixels() { decoded = nil }

  private func render(_ region: PixelRectangle, width: Int, height: Int) throws(VipsFailure) -> VipsImage {
    let area = StoredArea(
      of: region, orientation: info.orientation, storedWidth: storedWidth, storedHeight: storedHeight)
    let isTurned = info.orientation >= 5
    let (targetWidth, targetHeight) = isTurned ? (height, width) : (width, height)
    let shrink = Double(min(area.width, area.height)) / Double(max(1, min(targetWidth, targetHeight)))
    var image: VipsImage
    if let decoded { image = decoded } else { image = try Self.load(input, info.format, shrink: shrink) }
    let scaledArea = area.scaled(
      fromWidth: storedWidth, fromHeight: storedHeight, toWidth: image.width, toHeight: image.height)
    if scaledArea != StoredArea(x: 0, y: 0, width: image.width, height: image.height) {
      image = try image.cropped(to: scaledArea)
    }
    if image.hasAlpha { image = try image.flattenedOnWhite() }
    image = try image.resized(width: targetWidth, height: targetHeight)
    // In memory before it is turned: decoding goes from the top, turning does not.
    return try Self.converted(image, hasProfile: info.metadata.colourProfile).inMemory().upright().inMemory()
  }

  /// - Parameter shrink: how many times smaller the outcome may be at most; decoders that can, take a step of it.
  private static func load(
    _ input: InputBytes, _ format: ImageFormat, shrink: Double
  ) throws(VipsFailure) -> VipsImage {
    switch format {
    case .jpeg: return try .jpeg(input, shrink: shrink >= 8 ? 8 : shrink >= 4 ? 4 : shrink >= 2 ? 2 : 1)
    case .png: return try .png(input)
    case .webp: return try .webp(input, scale: shrink >= 2 ? 2 / shrink : 1)
    case .heic, .avif:
      guard cvips_start_heif() == 0 else { throw .take() }
      return try .heif(input)
    }
  }

  private static func converted(_ image: VipsImage, hasProfile: Bool) throws(VipsFailure) -> VipsImage {
    var image = image
    if hasProfile || image.colour == CVIPS_COLOUR_CMYK {
      do {
        return try image.convertedByProfile(assumingCMYK: image.colour == CVIPS_COLOUR_CMYK)
      } catch {
        // A profile that is broken or belongs to another kind of picture says nothing; the numbers still do.
      }
    }
    image = try image.convertedToSRGB()
    return image.bitsPerBand == 8 ? image : try image.convertedToBytes()
  }
}

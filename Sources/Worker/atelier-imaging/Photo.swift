import CVips
import Imaging
import Localization
import Portrait

/// A recognised picture whose header was read and found to be within the limits. Pixels are decoded on request:
/// upright, sRGB, 8 bits, without alpha; ``region(_:scale:)`` has it beside the colours.
final class Photo {
  let input: InputBytes
  /// What the file says.
  let info: ImageInfo
  /// The EXIF orientation that stands the picture upright: the file's, until it is turned.
  private(set) var orientation: Int
  /// The quarter turns, clockwise, beyond those of the file's orientation.
  private var quarterTurns = 0
  private let storedWidth: Int
  private let storedHeight: Int
  /// All pixels as stored, perhaps scaled down.
  private var decoded: VipsImage?
  /// The colours that the file names by numbers, if they can be converted.
  private let numbered: NumberedColours?
  /// What libheif does not do to the decoded pixels.
  private let undecoded: UndecodedProperties
  /// Whether a profile was found to be invalid, or of another colour model, so that it says nothing.
  private var isProfileIgnored = false
  /// What the person should know, whatever is made of the photo.
  let warnings: [ImagingWarning]

  /// Recognises the content before any decoder reads it, and reads the header.
  /// - Throws: `unsupported_image`, `invalid_image` or `invalid_dimensions`.
  init(_ input: InputBytes, limits: ImageLimits) throws(ImagingError) {
    let content = input.withBytes { RecognisedContent(of: $0) }
    guard case .picture(let format) = content else { throw ImagingError(refusing: content) ?? .unreadable }
    self.input = input
    let bytes = input.count
    var warnings: [ImagingWarning] = []
    if format == .jpeg, let missing = input.withBytes({ JPEGEnding.missingBytes(of: $0) }) {
      input.append(missing)
      warnings.append(.incompleteFile)
    }
    // Read first: afterwards the bytes are those for the decoder.
    let numbers = Self.numbers(input, format)
    undecoded = input.prepare(for: format)
    // Discards messages of the previous job, which say nothing about this picture.
    _ = VipsFailure.takeNotes()
    do {
      let header = try Self.load(input, format, undecoded, shrink: 1)
      info = Self.info(header, format: format, bytes: bytes)
      storedWidth = header.width
      storedHeight = header.height
      orientation = info.orientation
      // Design rule for camera file systems, 4.2.
      let isAdobeRGB = format == .jpeg && header.field("exif-ifd4-InteroperabilityIndex", begins: "R03")
      let colours = isAdobeRGB ? NumberedColours(.adobeRGB) : numbers
      let isConvertible = colours.map { $0.isConvertible && ColourConversion.canConvert($0.description) } ?? true
      numbered = isConvertible ? colours : nil
      if let colours, !isConvertible, colours.description.transfer.isHDR, !info.metadata.colourProfile {
        warnings.append(.hdrNotConverted)
      }
    } catch {
      throw ImagingError(unreadable: error, input, format)
    }
    self.warnings = warnings
    let (pixels, isHuge) = info.width.multipliedReportingOverflow(by: info.height)
    let isReduced = format == .jpeg && (isHuge || pixels > limits.maximumPixels)
    try limits.check(
      width: info.width, height: info.height, reading: isReduced ? input.withBytes { PictureReading(jpeg: $0) } : .whole)
  }

  private static func numbers(_ input: InputBytes, _ format: ImageFormat) -> NumberedColours? {
    guard [.png, .heic, .avif].contains(format) else { return nil }
    return input.withBytes { NumberedColours(of: Array($0), format: format) }
  }

  /// Whether the numbers of ``pixels(longestSide:)`` are others than the file's, because they stand for other colours.
  var areColoursConverted: Bool {
    if warnings.contains(.hdrNotConverted) { return false }
    return numbered != nil || info.metadata.colourProfile && !isProfileIgnored || info.colourModel != .rgb
      || info.bitsPerChannel != 8
  }

  /// The sides of the upright picture in pixels.
  var width: Int { orientation >= 5 ? storedHeight : storedWidth }
  var height: Int { orientation >= 5 ? storedWidth : storedHeight }

  /// Turns the picture clockwise, because it stands upright only after so many quarter turns more than its file says.
  func turn(quarterTurns: Int) {
    for _ in 0..<quarterTurns & 3 { orientation = StoredArea.turned(orientation) }
    self.quarterTurns = (self.quarterTurns + quarterTurns) & 3
  }

  /// The whole picture.
  /// - Parameter longestSide: in pixels; smaller pictures keep their size.
  func pixels(longestSide: Int) throws(ImagingError) -> VipsImage {
    let size = size(longestSide: longestSide)
    return try pixels(
      of: PixelRectangle(x: 0, y: 0, width: width, height: height), width: size.width, height: size.height)
  }

  /// A part of the upright picture, scaled.
  /// - Parameters:
  ///   - region: inside the picture.
  ///   - width: the sides of the result, in pixels, not larger than the region's.
  /// - Throws: `invalid_image` when the data is damaged or truncated.
  func pixels(of region: PixelRectangle, width: Int, height: Int) throws(ImagingError) -> VipsImage {
    try noticingDamage { () throws(VipsFailure) in
      let area = storedArea(of: region)
      let (width, height) = orientation >= 5 ? (height, width) : (width, height)
      var shrink = Double(min(area.width, area.height)) / Double(max(1, min(width, height)))
      // A little less detail is not visible, and of such a picture half of the time.
      if area.width * area.height > ImageLimits.preparation.maximumPixels { shrink *= 1.1 }
      let (cut, _) = try cut(area, from: try source(shrink: shrink))
      let image = cut.hasAlpha ? try cut.flattened(on: 1) : cut
      return try finished(try image.resized(width: width, height: height)).inMemory()
    }
  }

  /// Decodes the picture once for several requests, scaled down as far as a longer side of `longestSide` pixels allows.
  /// - Throws: `invalid_image` when the data is damaged or truncated.
  func keepPixels(longestSide: Int) throws(ImagingError) {
    let shrink = Double(max(storedWidth, storedHeight)) / Double(longestSide)
    decoded = try noticingDamage { () throws(VipsFailure) in
      try Self.load(input, info.format, undecoded, shrink: shrink).inMemory()
    }
  }

  /// Releases what ``keepPixels(longestSide:)`` kept.
  func forgetPixels() { decoded = nil }

  /// The whole picture, scaled down by a whole factor as far as a longer side of `longestSide` pixels allows.
  func overview(longestSide: Int) throws(ImagingError) -> PixelImage {
    try noticingDamage { () throws(VipsFailure) in
      let image = try source(shrink: Double(max(storedWidth, storedHeight)) / Double(longestSide))
      // On grey, a dark cut-out's face of 100 pixels was missed.
      let opaque = image.hasAlpha ? try image.flattened(on: 1) : image
      return try PixelImage(finished(try opaque.shrunk(by: max(image.width, image.height) / longestSide)))
    }
  }

  /// A part of the picture at least at `scale`, without resampling.
  func region(_ region: PixelRectangle, scale: Double) throws(ImagingError) -> PhotoRegion {
    try noticingDamage { () throws(VipsFailure) in
      let source = try source(shrink: 1 / scale)
      let (image, area) = try cut(storedArea(of: region), from: source)
      let upright = uprightArea(of: area, in: source)
      guard image.hasAlpha else { return PhotoRegion(image: try PixelImage(finished(image)), area: upright) }
      // In memory, because decoding runs through the picture once.
      let pixels = try image.inMemory()
      return PhotoRegion(
        image: try PixelImage(finished(try pixels.colours())), area: upright,
        opacity: try PixelImage(grey: turned(try pixels.alpha())))
    }
  }

  /// Runs `work`, which decodes.
  /// - Throws: `invalid_image` when it fails, and when it succeeds on damaged data: a decoder that invents missing
  ///   pixels only leaves a message.
  private func noticingDamage<Pixels>(_ work: () throws(VipsFailure) -> Pixels) throws(ImagingError) -> Pixels {
    do throws(VipsFailure) {
      _ = VipsFailure.takeNotes()
      let result = try work()
      let notes = DecoderNotes(VipsFailure.takeNotes())
      if notes.indicateDamage { throw VipsFailure(reason: notes.text) }
      return result
    } catch {
      throw ImagingError(unreadable: error, input, info.format)
    }
  }

  private func storedArea(of region: PixelRectangle) -> StoredArea {
    StoredArea(of: region, orientation: orientation, storedWidth: storedWidth, storedHeight: storedHeight)
  }

  /// The kept pixels, unless a smaller `shrink` is asked for; a tenth more is not visible.
  private func source(shrink: Double) throws(VipsFailure) -> VipsImage {
    if let decoded, Double(storedWidth) <= Double(decoded.width) * max(1, shrink) * 1.1 { return decoded }
    return try Self.load(input, info.format, undecoded, shrink: shrink)
  }

  /// The part of a version of the picture; and which part, in pixels of that version.
  private func cut(
    _ area: StoredArea, from source: VipsImage
  ) throws(VipsFailure) -> (image: VipsImage, area: StoredArea) {
    let scaled = area.scaled(
      fromWidth: storedWidth, fromHeight: storedHeight, toWidth: source.width, toHeight: source.height)
    let isWhole = scaled == StoredArea(x: 0, y: 0, width: source.width, height: source.height)
    return (isWhole ? source : try source.cropped(to: scaled), scaled)
  }

  /// What a part of a version of the picture shows, in pixels of the upright picture.
  private func uprightArea(of area: StoredArea, in source: VipsImage) -> Rectangle {
    let isTurned = orientation >= 5
    let (sourceWidth, sourceHeight) = isTurned ? (source.height, source.width) : (source.width, source.height)
    let upright = StoredArea(
      of: PixelRectangle(x: area.x, y: area.y, width: area.width, height: area.height),
      orientation: StoredArea.inverse(of: orientation), storedWidth: sourceWidth, storedHeight: sourceHeight)
    let across = Double(width) / Double(sourceWidth)
    let down = Double(height) / Double(sourceHeight)
    return Rectangle(
      x: Double(upright.x) * across, y: Double(upright.y) * down, width: Double(upright.width) * across,
      height: Double(upright.height) * down)
  }

  /// Converts to sRGB and turns upright.
  private func finished(_ image: VipsImage) throws(VipsFailure) -> VipsImage {
    guard let numbered else { return try turned(try converted(image)) }
    // Turned first: what is converted by numbers has no orientation any more.
    let image = try turned(image)
    let hasProfile = info.metadata.colourProfile && !numbered.precedesProfile
    if hasProfile, let result = byProfile(image) { return result }
    if let result = try image.converted(from: numbered.description) { return result }
    return try converted(image)
  }

  private func turned(_ image: VipsImage) throws(VipsFailure) -> VipsImage {
    // Copied to memory before rotation: decoding runs from the top, rotation does not.
    let upright = info.orientation == 1 ? image : try image.inMemory().upright()
    return quarterTurns == 0 ? upright : try upright.inMemory().turned(quarterTurns: quarterTurns)
  }

  /// - Parameter shrink: the maximum factor by which the result may be smaller; decoders that can apply part of it.
  private static func load(
    _ input: InputBytes, _ format: ImageFormat, _ undecoded: UndecodedProperties, shrink: Double
  ) throws(VipsFailure) -> VipsImage {
    switch format {
    case .jpeg: return try .jpeg(input, shrink: shrink >= 8 ? 8 : shrink >= 4 ? 4 : shrink >= 2 ? 2 : 1)
    case .png: return try .png(input)
    case .webp: return try .webp(input, scale: shrink >= 2 ? 2 / shrink : 1)
    case .heic, .avif:
      guard cvips_start_heif() == 0 else { throw .take() }
      // Turning needs the last rows first.
      return try VipsImage.heif(input, sequential: undecoded.orientation == 1).completed(undecoded)
    }
  }

  private func converted(_ image: VipsImage) throws(VipsFailure) -> VipsImage {
    if info.metadata.colourProfile || image.colour == CVIPS_COLOUR_CMYK, let result = byProfile(image) { return result }
    let image = try image.convertedToSRGB()
    return image.bitsPerBand == 8 ? image : try image.convertedToBytes()
  }

  /// - Returns: nil for a profile that is invalid or belongs to another colour model: it is ignored, and the pixel values
  ///   are still usable.
  private func byProfile(_ image: VipsImage) -> VipsImage? {
    // libvips does without an unusable profile and succeeds.
    let fits = image.profileFits
    isProfileIgnored = info.metadata.colourProfile && !fits
    let isCMYK = image.colour == CVIPS_COLOUR_CMYK
    guard fits || isCMYK else { return nil }
    do {
      return try image.convertedByProfile(assumingCMYK: isCMYK)
    } catch {
      isProfileIgnored = true
      return nil
    }
  }
}

extension PixelImage {
  /// The pixels of an sRGB image of 3 bands.
  fileprivate init(_ image: VipsImage) throws(VipsFailure) {
    self.init(width: image.width, height: image.height, pixels: try image.pixels())
  }

  /// The same of an image of one band of 8 bits.
  fileprivate init(grey image: VipsImage) throws(VipsFailure) {
    self.init(width: image.width, height: image.height, pixels: try image.pixels().flatMap { [$0, $0, $0] })
  }
}

extension Photo {
  /// The header's contents, in terms of the upright picture.
  static func info(_ header: VipsImage, format: ImageFormat, bytes: Int) -> ImageInfo {
    // libheif rotates pictures upright by itself; the EXIF orientation must not rotate them again.
    let isStoredUpright = format == .heic || format == .avif
    let orientation = isStoredUpright ? 1 : min(8, max(1, header.orientation))
    let isTurned = orientation >= 5
    return ImageInfo(
      format: format,
      width: isTurned ? header.height : header.width,
      height: isTurned ? header.width : header.height,
      orientation: orientation,
      hasAlpha: header.hasAlpha,
      bitsPerChannel: header.bitsPerBand,
      colourModel: colourModel(header),
      metadata: ImageInfo.Metadata(
        exif: header.has("exif-data"),
        location: header.hasFieldBeginning("exif-ifd3-"),
        xmp: header.has("xmp-data"),
        iptc: header.has("iptc-data"),
        colourProfile: header.has("icc-profile-data")),
      bytes: bytes)
  }

  private static func colourModel(_ header: VipsImage) -> ImageInfo.ColourModel {
    switch header.colour {
    case CVIPS_COLOUR_CMYK: .cmyk
    case CVIPS_COLOUR_GREY: .grey
    default: header.bands < 3 ? .grey : .rgb
    }
  }
}

extension Photo {
  /// The sides after scaling down so that the longer one is at most `longestSide`; never less than 1.
  fileprivate func size(longestSide: Int) -> (width: Int, height: Int) {
    let longest = max(width, height)
    guard longest > longestSide else { return (width, height) }
    let factor = Double(longestSide) / Double(longest)
    return (max(1, Int((Double(width) * factor).rounded())), max(1, Int((Double(height) * factor).rounded())))
  }
}

extension ImagingWarning {
  static let incompleteFile = ImagingWarning(
    kind: "incomplete_file",
    message: "The photo's file ends too early, perhaps because it was not copied to its end. All of the picture was there.")

  static let hdrNotConverted = ImagingWarning(
    kind: "hdr_not_converted",
    message: "The photo is in HDR, in a form whose colours could not be converted, so they may look flat or wrong. "
      + "A photo saved as JPEG, or taken without HDR, gives the right ones.")
}

extension ImagingError {
  /// Encoding pixels that are in memory never fails because of the picture.
  init(unencodable failure: VipsFailure) {
    self.init(
      .internal, "The picture could not be encoded. Please try again.", hint: "Run `atelier doctor` if it happens again.",
      details: ["reason": .string(String(failure.reason.prefix(200)))])
  }
}

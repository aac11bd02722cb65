import Encodings
import JSON
import Synchronization

/// A picture of an answer: small, real, and different for every request. A fault may break it or change its form.
struct Picture: Sendable {
  var marker: PictureMarker
  /// Of a PNG; the prepared JPEG and WebP have their own.
  var size: PictureSize
  var format = PictureEncoding.png
  /// How long the file of a PNG is, exactly, if that is enough for one; nil for one without padding.
  var byteCount: Int?
  var fault: AnswerFault?

  /// As the answer calls the picture.
  var mimeType: String {
    switch fault {
    case .jpeg, .saysJPEGIsPNG, .truncatedJPEG: "image/jpeg"
    case .webp: "image/webp"
    default: "image/png"
    }
  }

  var bytes: [UInt8] {
    switch fault {
    case .jpeg, .saysPNGIsJPEG: jpeg
    case .truncatedJPEG: jpeg.dropLast(12)
    case .webp, .saysPNGIsWebP: webp
    case .truncatedPicture: png.dropLast(30)
    case .notAnImage: Array("This is no picture.".utf8)
    case .emptyImage: []
    default: format == .jpeg ? jpeg : format == .webp ? webp : png
    }
  }

  /// The same in base64, which may be broken as well.
  var base64: [UInt8] {
    if fault == nil, format == .png { return Array(Base64.encoded(pngHead).utf8) + pngRest.base64 }
    let text = fault == .urlSafeBase64 ? Base64URL.encoded(bytes) : Base64.encoded(bytes)
    return switch fault {
    // One letter past a whole group is no byte.
    case .truncatedBase64: Array(text.utf8.prefix(text.utf8.count / 8 * 4 + 1))
    case .invalidBase64: Array((text.prefix(40) + "!*#" + text.dropFirst(43)).utf8)
    case .unpaddedBase64: Array(text.utf8.prefix { $0 != UInt8(ascii: "=") })
    default: Array(text.utf8)
    }
  }

  // MARK: JPEG and WebP

  /// The prepared square with the marker as a comment.
  private var jpeg: [UInt8] {
    let comment = Array(marker.text.utf8)
    return Resources.jpeg.prefix(2) + [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment + Resources.jpeg.dropFirst(2)
  }

  /// The prepared square with the marker as XMP metadata.
  private var webp: [UInt8] {
    let text = marker.text + (marker.text.utf8.count.isMultiple(of: 2) ? "" : " ")
    let chunks = Array(Resources.webp.dropFirst(8)) + Array("XMP ".utf8) + Self.bigEndian(text.utf8.count).reversed()
      + Array(text.utf8)
    return Array("RIFF".utf8) + Self.bigEndian(chunks.count).reversed() + chunks
  }

  // MARK: PNG

  /// It is put together here because its size is to be the one asked for, to the pixel.
  private var png: [UInt8] { pngHead + pngRest.bytes }

  /// How long ``pngHead`` is: a multiple of three, so that its base64 can stand before that of the rest.
  private static let headCount = 132

  /// Everything that depends on the marker: it chooses a colour, and stands in a comment, filled up with spaces.
  private var pngHead: [UInt8] {
    let size = fault == .enormousHeader ? PictureSize(width: 60000, height: 60000) : size
    let color = Self.bigEndian(Int(truncatingIfNeeded: Checksum.fnv1a(marker.text.utf8))).prefix(3)
    let comment = Array("Software\0\(marker.text)".utf8)
    let spaces = [UInt8](repeating: UInt8(ascii: " "), count: max(0, 69 - comment.count))
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + Self.chunk("IHDR", Self.bigEndian(size.width) + Self.bigEndian(size.height) + [8, 3, 0, 0, 0])
      + Self.chunk("PLTE", [255, 255, 255] + color) + Self.chunk("tEXt", comment + spaces)
  }

  /// What follows the head of a PNG.
  private struct Rest {
    struct Key: Hashable {
      var size: PictureSize
      var byteCount: Int?
    }

    var bytes: [UInt8]
    var base64: [UInt8]
  }

  /// Made once for all pictures of a size, because compression, check values and base64 take the most time.
  private static let rests = Mutex<[Rest.Key: Rest]>([:])

  private var pngRest: Rest {
    let key = Rest.Key(size: size, byteCount: byteCount)
    return Self.rests.withLock { rests in
      if let rest = rests[key] { return rest }
      let bytes = makeRest()
      let rest = Rest(bytes: bytes, base64: Array(Base64.encoded(bytes).utf8))
      if rests.count >= 64 { rests = [:] }
      rests[key] = rest
      return rest
    }
  }

  /// A pattern of eight by eight fields in the two colours of the palette, padding, and the end.
  private func makeRest() -> [UInt8] {
    var rows: [UInt8] = []
    for row in 0..<size.height {
      // Each row begins with the number of its filter.
      rows.append(0)
      for column in 0..<size.width { rows.append(UInt8((column * 8 / size.width + row * 8 / size.height) % 2)) }
    }
    let end = Self.chunk("IEND", [])
    // Like photos, pictures are hard to compress, unless a file must be short.
    let pixels = Self.chunk("IDAT", Zlib.compressed(rows, as: .zlib, isFast: byteCount == nil))
    // A chunk has twelve bytes besides its data.
    let padding = (byteCount ?? 0) - Self.headCount - pixels.count - end.count - 12
    guard padding >= 0 else { return pixels + end }
    return pixels + Self.chunk("paDd", [UInt8](repeating: 0, count: padding)) + end
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + data
    return bigEndian(data.count) + checked + bigEndian(Int(Checksum.crc32(checked)))
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

/// What a picture of the simulator says of the request it answers, so that a test can prove that no answer was mixed
/// up. It is plain ASCII in the file.
public struct PictureMarker: Sendable, Hashable {
  /// ``fingerprint(of:)`` of the prompt.
  public var prompt: String
  /// The number of the request, as in ``RequestRecord/id``.
  public var request: Int
  /// Which picture of the answer, from 0.
  public var index: Int

  public init(prompt: String, request: Int, index: Int = 0) {
    (self.prompt, self.request, self.index) = (Self.fingerprint(of: prompt), request, index)
  }

  /// FNV-1a (64 bits) of the UTF-8 bytes of the prompt, as sixteen hexadecimal digits. The prompt is all text of the
  /// last turn of the user, its parts joined by a newline.
  public static func fingerprint(of prompt: String) -> String { Checksum.fingerprint(prompt.utf8) }

  /// The marker of a picture's bytes, in whatever format.
  public init?(in picture: some Collection<UInt8>) {
    guard let start = picture.firstRange(of: Array("simulated-picture:".utf8))?.upperBound,
      let end = picture[start...].firstIndex(of: UInt8(ascii: ";"))
    else { return nil }
    let fields = String(decoding: picture[start..<end], as: UTF8.self).split(separator: ",")
    guard fields.count == 3, let request = Int(fields[1]), let index = Int(fields[2]) else { return nil }
    (self.prompt, self.request, self.index) = (String(fields[0]), request, index)
  }

  /// As it stands in the file.
  var text: String { "simulated-picture:\(prompt),\(request),\(index);" }
}

/// The width and height of a picture in pixels; in JSON as `1024x768`.
struct PictureSize: Sendable, Hashable, Decodable {
  var width: Int
  var height: Int

  init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

  /// - Returns: nil unless it is two positive numbers around an `x`.
  init?(_ text: String) {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides[0] > 0, sides[1] > 0 else { return nil }
    self.init(width: sides[0], height: sides[1])
  }

  init(from decoder: any Decoder) throws {
    guard let size = PictureSize(try String(from: decoder)) else { throw JSONExpectation("a size like 1024x768") }
    self = size
  }

  /// One side in so many, at least a pixel.
  func divided(by factor: Int) -> PictureSize {
    PictureSize(width: max(1, width / factor), height: max(1, height / factor))
  }
}

/// Makes the pictures of successful answers: small, real, and different for every request.
struct Picture: Sendable {
  var marker: PictureMarker
  var size: PictureSize

  /// A pattern of eight by eight fields in two colours, which the marker determines.
  /// - Parameters:
  ///   - count: how long the file is to be, exactly, if that is enough for one; nil for one without padding.
  ///   - claimed: the size that the header promises instead of the true one.
  func png(bytes count: Int? = nil, claiming claimed: PictureSize? = nil) -> [UInt8] {
    let size = claimed ?? size
    let seed = marker.seed
    let header = Self.bigEndian(size.width) + Self.bigEndian(size.height) + [8, 3, 0, 0, 0]
    let palette = [255, 255, 255] + [0, 8, 16].map { UInt8(truncatingIfNeeded: seed >> $0) }
    // Like photos, pictures are hard to compress, unless a file must be short.
    let pixels = Zlib.compressed(claimed == nil ? rows : [0], as: .zlib, isFast: count == nil)
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += Self.chunk("IHDR", header) + Self.chunk("PLTE", palette)
    file += Self.chunk("tEXt", Array("Software\0\(marker.text)".utf8)) + Self.chunk("IDAT", pixels)
    let end = Self.chunk("IEND", [])
    // A chunk has twelve bytes besides its data.
    let padding = (count ?? 0) - file.count - end.count - 12
    if padding >= 0 { file += Self.chunk("paDd", [UInt8](repeating: 0, count: padding)) }
    return file + end
  }

  /// Each row after a filter byte of zero; the right half mirrors the left.
  private var rows: [UInt8] {
    let bands = (0..<8).map { band -> [UInt8] in
      [0] + (0..<size.width).map { column -> UInt8 in
        let field = column * 8 / size.width
        return UInt8(truncatingIfNeeded: marker.seed >> UInt64(24 + band * 4 + min(field, 7 - field)) & 1)
      }
    }
    return (0..<size.height).flatMap { bands[$0 * 8 / size.height] }
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + data
    return bigEndian(data.count) + checked + bigEndian(Int(Checksum.crc32(checked)))
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// The prepared square, whatever the size, with the marker as a comment.
  func jpeg() -> [UInt8] {
    let comment = Array(marker.text.utf8)
    return Resources.jpeg.prefix(2) + [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment + Resources.jpeg.dropFirst(2)
  }

  /// The prepared square, whatever the size, with the marker as XMP metadata.
  func webp() -> [UInt8] {
    let text = marker.text + (marker.text.utf8.count.isMultiple(of: 2) ? "" : " ")
    let chunks = Array(Resources.webp.dropFirst(8)) + Array("XMP ".utf8) + Self.bigEndian(text.utf8.count).reversed()
      + Array(text.utf8)
    return Array("RIFF".utf8) + Self.bigEndian(chunks.count).reversed() + chunks
  }
}

/// What a picture of the simulator says of the request it answers, so that a test can prove that no answer was mixed
/// up.
///
/// PNG carries it in a `tEXt` chunk, JPEG in a comment; either way it is plain ASCII in the file.
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
  public static func fingerprint(of prompt: String) -> String { Checksum.hexadecimal(Checksum.fnv1a(prompt.utf8)) }

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

  /// A number that differs where the marker does, for pixels.
  var seed: UInt64 { Checksum.fnv1a(text.utf8) }
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
    guard let size = PictureSize(try decoder.singleValueContainer().decode(String.self)) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no size"))
    }
    self = size
  }

  /// One side in so many, at least a pixel.
  func divided(by factor: Int) -> PictureSize {
    PictureSize(width: max(1, width / factor), height: max(1, height / factor))
  }
}

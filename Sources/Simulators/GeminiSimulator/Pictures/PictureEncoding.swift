/// A picture format that requests may carry, recognised by content.
enum PictureEncoding: String, Sendable {
  case png = "image/png", jpeg = "image/jpeg", webp = "image/webp", heic = "image/heic", heif = "image/heif"
  case gif = "image/gif"

  /// What a file begins with; a dot stands for any byte.
  private static let openings: KeyValuePairs<String, PictureEncoding> = [
    "\u{89}PNG\r\n\u{1A}\n": .png, "\u{FF}\u{D8}\u{FF}": .jpeg, "RIFF....WEBP": .webp, "GIF8": .gif,
    "....ftyphei": .heic, "....ftyphev": .heic, "....ftypmif1": .heif, "....ftypmsf1": .heif,
  ]

  /// - Returns: nil when the bytes begin like none of them.
  init?(of bytes: [UInt8]) {
    let found = Self.openings.first { opening, _ in
      opening.unicodeScalars.count <= bytes.count
        && zip(opening.unicodeScalars, bytes).allSatisfy { $0 == "." || $0.value == UInt32($1) }
    }
    guard let found else { return nil }
    self = found.value
  }

  /// Whether a picture of this type may be called `mimeType`: the two HEIF names are used for each other.
  func isCalled(_ mimeType: String) -> Bool {
    let names = ["image/heic", "image/heif"]
    return rawValue == mimeType || names.contains(rawValue) && names.contains(mimeType)
  }

  /// Whether the container goes on to its end; what is cut short does not.
  func isComplete(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .png: PNGReader(bytes).isComplete
    case .jpeg: bytes.suffix(64).firstRange(of: [0xFF, 0xD9] as [UInt8]) != nil
    case .webp: bytes.count >= 12 && Self.littleEndian(bytes[4..<8]) + 8 <= bytes.count
    case .gif: bytes.last == 0x3B
    case .heic, .heif: bytes.count > 64
    }
  }

  /// - Returns: nil when the header does not say, or is not understood here.
  func size(of bytes: [UInt8]) -> PictureSize? {
    switch self {
    case .png: PNGReader(bytes).size
    case .jpeg: Self.jpegSize(bytes)
    case .webp: Self.webpSize(bytes)
    case .gif, .heic, .heif: nil
    }
  }

  private static func jpegSize(_ bytes: [UInt8]) -> PictureSize? {
    var position = 2
    while position + 9 < bytes.count, bytes[position] == 0xFF {
      let kind = bytes[position + 1]
      func number(_ offset: Int) -> Int { Int(bytes[position + offset]) << 8 | Int(bytes[position + offset + 1]) }
      // Every start of frame, C4 (tables), C8 (reserved) and CC (arithmetic conditioning) excepted.
      if 0xC0...0xCF ~= kind, ![0xC4, 0xC8, 0xCC].contains(kind) {
        return PictureSize(width: number(7), height: number(5))
      }
      position += 2 + number(2)
    }
    return nil
  }

  private static func webpSize(_ bytes: [UInt8]) -> PictureSize? {
    guard bytes.count >= 30 else { return nil }
    func number(_ range: Range<Int>) -> Int { littleEndian(bytes[range]) }
    return switch String(decoding: bytes[12..<16], as: UTF8.self) {
    case "VP8X": PictureSize(width: 1 + number(24..<27), height: 1 + number(27..<30))
    case "VP8L": PictureSize(width: 1 + number(21..<25) & 0x3FFF, height: 1 + number(21..<25) >> 14 & 0x3FFF)
    case "VP8 ": PictureSize(width: number(26..<28) & 0x3FFF, height: number(28..<30) & 0x3FFF)
    default: nil
    }
  }

  private static func littleEndian(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
}

/// What the chunks of a PNG file tell without looking at its pixels.
struct PNGReader {
  private(set) var size: PictureSize?
  /// True when the chunks follow each other, whole and with the right check values, up to the end.
  private(set) var isComplete = false

  init(_ bytes: [UInt8]) {
    func number(_ offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    var position = 8
    while !isComplete, position + 12 <= bytes.count {
      let end = position + 12 + number(position)
      guard end <= bytes.count, Checksum.crc32(bytes[position + 4..<end - 4]) == UInt32(number(end - 4)) else { return }
      switch String(decoding: bytes[position + 4..<position + 8], as: UTF8.self) {
      case "IHDR" where end == position + 25:
        size = PictureSize(width: number(position + 8), height: number(position + 12))
      case "IEND": isComplete = size != nil
      default: break
      }
      position = end
    }
  }
}

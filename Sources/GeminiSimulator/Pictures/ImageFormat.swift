/// A picture format that requests may carry, recognised by content.
enum ImageFormat: String, Sendable {
  case png = "image/png"
  case jpeg = "image/jpeg"
  case webp = "image/webp"
  case heic = "image/heic"
  case heif = "image/heif"
  case gif = "image/gif"

  /// - Returns: nil when the bytes begin like none of them.
  init?(of bytes: [UInt8]) {
    func has(_ text: String, at offset: Int) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if has("RIFF", at: 0), has("WEBP", at: 8) {
      self = .webp
    } else if has("GIF8", at: 0) {
      self = .gif
    } else if has("ftyp", at: 4) {
      let isHEVC = ["heic", "heix", "hevc", "hevx", "heim", "heis"].contains { has($0, at: 8) }
      guard isHEVC || has("mif1", at: 8) || has("msf1", at: 8) else { return nil }
      self = isHEVC ? .heic : .heif
    } else {
      return nil
    }
  }

  /// Whether a picture of this type may be called `mimeType`: the two HEIF names are used for each other.
  func isCalled(_ mimeType: String) -> Bool {
    let isHEIF = self == .heic || self == .heif
    return rawValue == mimeType || isHEIF && ["image/heic", "image/heif"].contains(mimeType)
  }

  /// Whether the container goes on to its end; what is cut short does not.
  func isComplete(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .png: PNGReader(bytes).isComplete
    case .jpeg: bytes.suffix(64).firstRange(of: [0xFF, 0xD9] as [UInt8]) != nil
    case .webp: bytes.count >= 12 && Int(littleEndian(bytes, at: 4, 4)) + 8 <= bytes.count
    case .gif: bytes.last == 0x3B
    case .heic, .heif: bytes.count > 64
    }
  }

  /// - Returns: nil when the header does not say, or is not understood here.
  func size(of bytes: [UInt8]) -> PictureSize? {
    switch self {
    case .png: PNGReader(bytes).size
    case .jpeg: Self.jpegSize(bytes)
    case .webp: webpSize(bytes)
    case .gif, .heic, .heif: nil
    }
  }

  private static func jpegSize(_ bytes: [UInt8]) -> PictureSize? {
    var position = 2
    while position + 9 < bytes.count, bytes[position] == 0xFF {
      let kind = bytes[position + 1]
      // Every start of frame, C4 (tables), C8 (reserved) and CC (arithmetic conditioning) excepted.
      if 0xC0...0xCF ~= kind, ![0xC4, 0xC8, 0xCC].contains(kind) {
        return PictureSize(
          width: Int(bytes[position + 7]) << 8 | Int(bytes[position + 8]),
          height: Int(bytes[position + 5]) << 8 | Int(bytes[position + 6]))
      }
      position += 2 + Int(bytes[position + 2]) << 8 + Int(bytes[position + 3])
    }
    return nil
  }

  private func webpSize(_ bytes: [UInt8]) -> PictureSize? {
    guard bytes.count >= 30 else { return nil }
    switch bytes[12..<16] {
    case ArraySlice("VP8X".utf8):
      return PictureSize(width: 1 + littleEndian(bytes, at: 24, 3), height: 1 + littleEndian(bytes, at: 27, 3))
    case ArraySlice("VP8L".utf8):
      let bits = littleEndian(bytes, at: 21, 4)
      return PictureSize(width: 1 + bits & 0x3FFF, height: 1 + bits >> 14 & 0x3FFF)
    case ArraySlice("VP8 ".utf8):
      return PictureSize(
        width: littleEndian(bytes, at: 26, 2) & 0x3FFF, height: littleEndian(bytes, at: 28, 2) & 0x3FFF)
    default: return nil
    }
  }

  private func littleEndian(_ bytes: [UInt8], at offset: Int, _ count: Int) -> Int {
    bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

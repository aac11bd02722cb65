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

/// Base64 (RFC 4648) in both alphabets, as proto3 JSON has it: writes the standard one with padding, reads either, with
/// or without.
enum Base64 {
  private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let urlSafe = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let padding = UInt8(ascii: "=")

  /// What each byte stands for; 0xFF for a byte of neither alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, byte) in standard.enumerated() { values[Int(byte)] = UInt8(value) }
    for (value, byte) in urlSafe.enumerated() { values[Int(byte)] = UInt8(value) }
    return values
  }()

  static func encode(_ bytes: [UInt8], urlSafe isURLSafe: Bool = false) -> String {
    let alphabet = isURLSafe ? urlSafe : standard
    let length = (bytes.count + 2) / 3 * 4
    return String(unsafeUninitializedCapacity: length) { text in
      // Within the capacity asked for: four bytes are written for each three, or for the one or two left over.
      var output = 0
      func put(_ index: UInt32) {
        text[output] = alphabet[Int(index & 63)]
        output += 1
      }
      var input = 0
      while input + 3 <= bytes.count {
        let group = UInt32(bytes[input]) << 16 | UInt32(bytes[input + 1]) << 8 | UInt32(bytes[input + 2])
        for shift in [18, 12, 6, 0] as [UInt32] { put(group >> shift) }
        input += 3
      }
      guard input < bytes.count else { return output }
      let isPair = input + 1 < bytes.count
      let group = UInt32(bytes[input]) << 16 | (isPair ? UInt32(bytes[input + 1]) << 8 : 0)
      put(group >> 18)
      put(group >> 12)
      if isPair { put(group >> 6) }
      while output < length {
        text[output] = padding
        output += 1
      }
      return output
    }
  }

  /// - Returns: nil when the text is no base64.
  static func decode(_ text: String) -> [UInt8]? {
    var text = text
    return text.withUTF8 { decode($0.span) }
  }

  static func isValid(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { text in
      let values = values
      guard let end = lengthWithoutPadding(text.span) else { return false }
      return (0..<end).allSatisfy { values[Int(text[$0])] != 0xFF }
    }
  }

  /// - Returns: nil when the length is that of no base64.
  private static func lengthWithoutPadding(_ text: Span<UInt8>) -> Int? {
    var end = text.count
    while end > 0, text.count - end < 2, text[end - 1] == padding { end -= 1 }
    // Padding, where there is any, completes the last group; a single letter is not even one byte.
    return (end == text.count || text.count % 4 == 0) && end % 4 != 1 ? end : nil
  }

  private static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    guard let end = lengthWithoutPadding(text) else { return nil }
    let values = values
    var bytes: [UInt8] = []
    bytes.reserveCapacity(end * 3 / 4)
    var group: UInt32 = 0
    var letters = 0
    for index in 0..<end {
      let value = values[Int(text[index])]
      guard value != 0xFF else { return nil }
      group = group << 6 | UInt32(value)
      letters += 1
      guard letters == 4 else { continue }
      bytes.append(UInt8(truncatingIfNeeded: group >> 16))
      bytes.append(UInt8(truncatingIfNeeded: group >> 8))
      bytes.append(UInt8(truncatingIfNeeded: group))
      (group, letters) = (0, 0)
    }
    if letters >= 2 { bytes.append(UInt8(truncatingIfNeeded: group >> (letters == 2 ? 4 : 10))) }
    if letters == 3 { bytes.append(UInt8(truncatingIfNeeded: group >> 2)) }
    return bytes
  }
}

/// Writes PNG files (ISO 15948) whose pixels are stored rather than compressed.
struct PNGWriter {
  private(set) var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  enum Colour: UInt8 {
    case truecolour = 2
    case palette = 3
  }

  init(reservingCapacity capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  mutating func header(_ size: PictureSize, bitDepth: UInt8, colour: Colour) {
    chunk("IHDR", Self.bigEndian(size.width) + Self.bigEndian(size.height) + [bitDepth, colour.rawValue, 0, 0, 0])
  }

  mutating func text(_ text: String) { chunk("tEXt", Array("Comment".utf8) + [0] + Array(text.utf8)) }
  mutating func end() { chunk("IEND", []) }
  mutating func append(_ chunk: [UInt8]) { bytes += chunk }
  mutating func chunk(_ type: String, _ data: [UInt8]) { bytes += Self.encodedChunk(type, data) }

  static func encodedChunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + data
    return bigEndian(data.count) + checked + bigEndian(Int(Checksum.crc32(checked.span)))
  }

  /// A zlib stream (RFC 1950) of stored blocks.
  static func stored(_ data: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    stream.reserveCapacity(storedLength(data.count))
    var position = 0
    repeat {
      let length = min(data.count - position, maximumBlock)
      let isLast = position + length == data.count
      let (low, high) = (UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8))
      stream += [isLast ? 1 : 0, low, high, ~low, ~high]
      stream += data[position..<position + length]
      position += length
    } while position < data.count
    return stream + bigEndian(Int(Checksum.adler32(data)))
  }

  /// How long ``stored(_:)`` makes so many bytes.
  static func storedLength(_ count: Int) -> Int { 6 + count + 5 * max(1, (count + maximumBlock - 1) / maximumBlock) }

  private static let maximumBlock = 65535

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

/// What the chunks of a PNG file tell without looking at its pixels.
struct PNGReader {
  private(set) var size: PictureSize?
  /// True when the chunks follow each other, whole and with the right check values, up to the end.
  private(set) var isComplete = false

  init(_ bytes: [UInt8]) {
    var position = 8
    while position + 12 <= bytes.count {
      let length = Self.number(bytes, at: position)
      let end = position + 12 + length
      guard end <= bytes.count else { return }
      let checked = bytes[position + 4..<end - 4]
      guard Checksum.crc32(checked.span) == UInt32(Self.number(bytes, at: end - 4)) else { return }
      let type = checked.prefix(4)
      if type.elementsEqual("IHDR".utf8), length == 13 {
        size = PictureSize(width: Self.number(bytes, at: position + 8), height: Self.number(bytes, at: position + 12))
      }
      position = end
      if type.elementsEqual("IEND".utf8) {
        isComplete = size != nil
        return
      }
    }
  }

  private static func number(_ bytes: [UInt8], at offset: Int) -> Int {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}

/// The check values of picture formats, and the fingerprint of markers.
enum Checksum {
  /// The check value of each byte, then of each byte with one to seven zeros after it, to take eight bytes at a time.
  private static let tables: [UInt32] = {
    var tables: [UInt32] = []
    for byte in 0..<256 as Range<UInt32> {
      var value = byte
      for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
      tables.append(value)
    }
    for index in 256..<2048 {
      let before = tables[index - 256]
      tables.append(tables[Int(before & 0xFF)] ^ before >> 8)
    }
    return tables
  }()

  /// CRC-32 as PNG and gzip have it (ISO 3309).
  static func crc32(_ bytes: Span<UInt8>) -> UInt32 {
    let tables = tables
    var value = UInt32.max
    var position = 0
    while position + 8 <= bytes.count {
      // Within the span by the condition above, and every pattern of bits is an integer.
      let word = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self) ^ UInt64(value)
      value = 0
      for place in 0..<8 { value ^= tables[(7 - place) * 256 + Int(word >> UInt64(place * 8) & 0xFF)] }
      position += 8
    }
    while position < bytes.count {
      value = tables[Int((value ^ UInt32(bytes[position])) & 0xFF)] ^ value >> 8
      position += 1
    }
    return ~value
  }

  /// Adler-32 as zlib has it (RFC 1950).
  static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (first, second): (UInt32, UInt32) = (1, 0)
    var position = 0
    while position < bytes.count {
      // The longest run that cannot overflow 32 bits before the remainder is taken.
      let end = min(position + 5552, bytes.count)
      for index in position..<end {
        first &+= UInt32(bytes[index])
        second &+= first
      }
      first %= 65521
      second %= 65521
      position = end
    }
    return second << 16 | first
  }

  /// FNV-1a with 64 bits.
  static func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return value
  }

  /// A fast digest of our own, eight bytes at a time.
  static func digest(_ bytes: [UInt8]) -> UInt64 {
    var value = UInt64(bytes.count) &+ 0x9E37_79B9_7F4A_7C15
    let span = bytes.span.bytes
    var position = 0
    while position + 8 <= span.byteCount {
      // Within the span by the condition above, and every pattern of bits is an integer.
      value = mixed(value, span.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
      position += 8
    }
    for byte in bytes[position...] { value = mixed(value, UInt64(byte)) }
    return value
  }

  private static func mixed(_ value: UInt64, _ word: UInt64) -> UInt64 {
    let product = (value ^ word) &* 0xFF51_AFD7_ED55_8CCD
    return product ^ product >> 32
  }

  /// Sixteen hexadecimal digits.
  static func hexadecimal(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

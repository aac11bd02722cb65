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

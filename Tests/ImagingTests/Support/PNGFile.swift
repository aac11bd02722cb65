/// PNG files made by hand, honest or not (PNG, third edition; RFC 1950; RFC 1951).
struct PNGFile {
  enum Colour: UInt8 {
    case grey = 0
    case rgb = 2
  }

  var width: Int
  var height: Int
  var colour = Colour.rgb
  /// The compressed data; ``blackPixels`` by default.
  var data: [UInt8]?

  var bytes: [UInt8] {
    var header = Self.bigEndian(width) + Self.bigEndian(height)
    header += [8, colour.rawValue, 0, 0, 0]
    return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + Self.chunk("IHDR", header)
      + Self.chunk("IDAT", data ?? Self.zeros(rawCount)) + Self.chunk("IEND", [])
  }

  /// The bytes of the decompressed data: a filter byte and the pixels of each row.
  private var rawCount: Int { height * (1 + width * (colour == .rgb ? 3 : 1)) }

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + content
    return bigEndian(content.count) + named + bigEndian(Int(crc(named)))
  }

  /// A zlib stream of `count` zeros: about 160 times smaller than what it unpacks to.
  static func zeros(_ count: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.write(0b011, count: 3)  // the last block, with fixed codes
    let matches = (count - 1) / 258
    for _ in 0..<(count - matches * 258) { bits.writeCode(0x30, count: 8) }  // the byte 0
    bits.write(times: matches) { bits in
      bits.writeCode(0b1100_0101, count: 8)  // repeat 258 bytes
      bits.writeCode(0, count: 5)  // from one byte ago
    }
    bits.writeCode(0, count: 7)
    return [0x78, 0x01] + bits.finish() + bigEndian(adlerOfZeros(count))
  }

  private static func adlerOfZeros(_ count: Int) -> Int { (count % 65521) << 16 | 1 }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static let crcTable: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 1 ? 0xedb8_8320 ^ (crc >> 1) : crc >> 1 }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { crc, byte in crcTable[Int((crc ^ UInt32(byte)) & 0xff)] ^ (crc >> 8) }
  }
}

/// Packs bits from the lowest upwards, as deflate wants them.
private struct BitWriter {
  private var bytes: [UInt8] = []
  private var pending: UInt64 = 0
  private var pendingCount: UInt64 = 0

  mutating func write(_ value: UInt64, count: UInt64) {
    pending |= value << pendingCount
    pendingCount += count
    while pendingCount >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingCount -= 8
    }
  }

  /// Huffman codes begin with their highest bit.
  mutating func writeCode(_ code: UInt64, count: UInt64) {
    for bit in (0..<count).reversed() { write(code >> bit & 1, count: 1) }
  }

  /// Writes the same 13 bits over and over. Eight times is a whole number of bytes, which are the same every time but
  /// the first, so they are copied.
  mutating func write(times: Int, _ code: (inout BitWriter) -> Void) {
    for _ in 0..<min(times, 16) { code(&self) }
    guard times > 16 else { return }
    let period = bytes.suffix(13)
    for _ in 0..<(times - 16) / 8 { bytes += period }
    for _ in 0..<(times - 16) % 8 { code(&self) }
  }

  mutating func finish() -> [UInt8] {
    if pendingCount > 0 { write(0, count: 8 - pendingCount) }
    return bytes
  }
}

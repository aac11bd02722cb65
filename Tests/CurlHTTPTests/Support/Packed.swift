/// Compressed bodies.
enum Packed {
  /// "hello hello hello hello" and a line feed.
  static let gzipHello: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0x48, 0xCD, 0xC9,
    0xC9, 0x57, 0xC8, 0x40, 0x27, 0xB9, 0x00, 0x00, 0x88, 0x59, 0x0B, 0x18, 0x00, 0x00,
    0x00,
  ]
  static let deflateHello: [UInt8] = [
    0x78, 0xDA, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x27, 0xB9, 0x00, 0x70,
    0xBE, 0x08, 0xBB,
  ]

  /// So many times 258 zero bytes, in thirteen bits each: one zero, and orders to copy the last byte 258 times (RFC
  /// 1951, 3.2.6). The checksum is missing; nobody should get that far.
  static func gzipBomb(repetitions: Int) -> [UInt8] {
    var bits: [Bool] = [true, true, false]
    bits += [false, false, true, true, false, false, false, false]
    let copy = [true, true, false, false, false, true, false, true, false, false, false, false, false]
    for _ in 0..<repetitions { bits += copy }
    bits += [Bool](repeating: false, count: 7)
    var bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
    for start in stride(from: 0, to: bits.count, by: 8) {
      var byte: UInt8 = 0
      for (index, bit) in bits[start..<min(start + 8, bits.count)].enumerated() where bit { byte |= 1 << index }
      bytes.append(byte)
    }
    return bytes
  }
}

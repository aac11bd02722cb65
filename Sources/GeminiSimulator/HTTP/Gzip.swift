/// Writes gzip (RFC 1952) without compressing, and without end.
enum Gzip {
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  /// The bytes in stored blocks.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    // A zlib stream has a header of two bytes and a check value of four around the same blocks.
    let blocks = PNGWriter.stored(bytes).dropFirst(2).dropLast(4)
    return header + blocks + littleEndian(Checksum.crc32(bytes.span))
      + littleEndian(UInt32(truncatingIfNeeded: bytes.count))
  }

  private static func littleEndian(_ value: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  // MARK: Without end

  /// Opens a block of fixed codes with one space, which ``endlessPattern`` repeats.
  static let endlessOpening = header + endless.prefix(2)

  /// Again and again: each 13 bytes unfold to 2064 spaces.
  static let endlessPattern: [UInt8] = Array((0..<64).map { _ in Array(endless[2..<15]) }.joined())

  /// Eight repetitions are 104 bits, so the bytes from the second on come again after 13.
  private static let endless: [UInt8] = {
    // Not the last block, fixed codes; then the space, the most significant bit first as all codes.
    var bits = [0, 1, 0] + code(0x30 + 0x20, 8)
    // The code for a length of 258, and the one for a distance of 1.
    for _ in 0..<16 { bits += code(0b1100_0101, 8) + code(0, 5) }
    return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | UInt8(bits[start + $1]) << UInt8($1) }
    }
  }()

  private static func code(_ value: Int, _ count: Int) -> [Int] {
    (0..<count).reversed().map { value >> $0 & 1 }
  }
}

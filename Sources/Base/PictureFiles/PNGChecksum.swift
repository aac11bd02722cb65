/// The checksum of a PNG's chunks (PNG, third edition, 5.5: the CRC of ISO 3309).
enum PNGChecksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? 0xedb8_8320 ^ (sum >> 1) : sum >> 1 }
  }

  /// Of a chunk's name and data.
  static func of(_ name: String, _ data: ArraySlice<UInt8>) -> UInt32 {
    ~updated(updated(~0, with: name.utf8), with: data)
  }

  private static func updated(_ sum: UInt32, with bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(sum) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xff)] ^ (sum >> 8) }
  }
}

/// Writes lossless WebP files (RFC 9649) of one colour: with a single symbol in every code, pixels take no bits.
enum WebPWriter {
  /// - Parameter comment: put into the file as it is, as XMP metadata.
  static func encode(_ size: PictureSize, colour: (red: UInt8, green: UInt8, blue: UInt8), comment: String) -> [UInt8] {
    var bits = Bits()
    bits.put(0x2F, 8)
    bits.put(size.width - 1, 14)
    bits.put(size.height - 1, 14)
    // No use of alpha, version 0, no transform, no colour cache, no meta codes.
    bits.put(0, 1 + 3 + 1 + 1 + 1)
    for symbol in [Int(colour.green), Int(colour.red), Int(colour.blue), 255, 0] {
      // A simple code of one symbol of eight bits.
      bits.put(0b101, 3)
      bits.put(symbol, 8)
    }
    let metadata: [UInt8] = [0x04, 0, 0, 0] + three(size.width - 1) + three(size.height - 1)
    let content =
      Array("WEBP".utf8) + chunk("VP8X", metadata) + chunk("VP8L", bits.bytes) + chunk("XMP ", Array(comment.utf8))
    return chunk("RIFF", content)
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    Array(type.utf8) + three(data.count) + [UInt8(truncatingIfNeeded: data.count >> 24)] + data
      + (data.count.isMultiple(of: 2) ? [] : [0])
  }

  private static func three(_ value: Int) -> [UInt8] { [0, 8, 16].map { UInt8(truncatingIfNeeded: value >> $0) } }

  /// Bits from the lowest up.
  private struct Bits {
    private(set) var bytes: [UInt8] = []
    private var used = 0

    mutating func put(_ value: Int, _ count: Int) {
      for bit in 0..<count {
        if used.isMultiple(of: 8) { bytes.append(0) }
        if value >> bit & 1 == 1 { bytes[used / 8] |= 1 << UInt8(used % 8) }
        used += 1
      }
    }
  }
}

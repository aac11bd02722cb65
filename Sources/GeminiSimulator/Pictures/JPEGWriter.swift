/// Writes baseline JPEG files (ITU-T T.81) of grey fields of eight by eight pixels.
struct JPEGWriter {
  private var bytes: [UInt8] = [0xFF, 0xD8]
  private var pending: UInt32 = 0
  private var pendingBits = 0

  /// - Parameters:
  ///   - comment: put into the file as it is.
  ///   - shade: the brightness of the field in a column and a row, from 0 to 255.
  static func encode(_ size: PictureSize, comment: String, shade: (_ column: Int, _ row: Int) -> UInt8) -> [UInt8] {
    var writer = JPEGWriter()
    writer.segment(0xE0, Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
    writer.segment(0xFE, Array(comment.utf8))
    // A step of 8 makes the constant of a field its brightness, less 128.
    writer.segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
    writer.segment(0xC0, [8] + two(size.height) + two(size.width) + [1, 1, 0x11, 0])
    writer.segment(0xC4, [0x00] + lengths + (0...8).map(UInt8.init))
    // The only code of the second table ends a field.
    writer.segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    writer.segment(0xDA, [1, 1, 0, 0, 63, 0])
    var before = 0
    for row in 0..<(size.height + 7) / 8 {
      for column in 0..<(size.width + 7) / 8 {
        let value = Int(shade(column, row)) - 128
        writer.field(value - before)
        before = value
      }
    }
    writer.flush()
    return writer.bytes + [0xFF, 0xD9]
  }

  /// Nine codes of four bits: the number of bits of a difference is its own code.
  private static let lengths: [UInt8] = [0, 0, 0, 9] + [UInt8](repeating: 0, count: 12)

  private static func two(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  private mutating func segment(_ marker: UInt8, _ data: [UInt8]) {
    bytes += [0xFF, marker] + Self.two(data.count + 2) + data
  }

  private mutating func field(_ difference: Int) {
    let count = Int.bitWidth - abs(difference).leadingZeroBitCount
    put(UInt32(count), bits: 4)
    let value = difference < 0 ? difference + (1 << count) - 1 : difference
    put(UInt32(value), bits: count)
    put(0, bits: 1)
  }

  private mutating func put(_ value: UInt32, bits: Int) {
    pending = pending << UInt32(bits) | value
    pendingBits += bits
    while pendingBits >= 8 {
      pendingBits -= 8
      let byte = UInt8(truncatingIfNeeded: pending >> UInt32(pendingBits))
      bytes.append(byte)
      if byte == 0xFF { bytes.append(0) }
    }
    pending &= (1 << UInt32(pendingBits)) - 1
  }

  /// The last byte is filled up with ones.
  private mutating func flush() {
    if pendingBits > 0 { put((1 << UInt32(8 - pendingBits)) - 1, bits: 8 - pendingBits) }
  }
}

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

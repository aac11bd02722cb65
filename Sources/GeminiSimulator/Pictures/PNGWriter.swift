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

/// The chunks of a PNG file (PNG, third edition, section 5), in sequence. Checksums are verified only where that is asked.
package struct PNGChunks {
  package struct Chunk {
    package var name: String
    package var data: ArraySlice<UInt8>
    fileprivate var checksum: Int

    /// Whether the chunk is as it was written.
    package var isIntact: Bool { PNGChecksum.of(name, data) == checksum }
  }

  private var reader: ByteReader<[UInt8]>

  /// - Returns: nil when there are fewer bytes than in a PNG signature.
  package init?(_ bytes: [UInt8]) {
    reader = ByteReader(bytes)
    guard reader.take(8) != nil else { return nil }
  }

  /// True when nothing follows the last chunk returned.
  package var isAtEnd: Bool { reader.isAtEnd }

  /// - Returns: nil when the file ends too early.
  package mutating func next() -> Chunk? {
    guard let length = reader.bigEndian(4), let name = reader.text(4), let data = reader.take(length),
      let checksum = reader.bigEndian(4)
    else { return nil }
    return Chunk(name: name, data: data, checksum: checksum)
  }
}

/// The first chunk of a PNG file (PNG, third edition, 11.2.1).
package struct PNGHeader: Equatable {
  package var width: Int
  package var height: Int
  package var bitsPerChannel: Int
  /// 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha.
  package var colourType: Int

  /// - Returns: nil for another chunk, or a wrong length.
  package init?(_ chunk: PNGChunks.Chunk) {
    var reader = ByteReader(chunk.data)
    guard chunk.name == "IHDR", chunk.data.count == 13, let width = reader.bigEndian(4),
      let height = reader.bigEndian(4), let bits = reader.bigEndian(1), let colourType = reader.bigEndian(1)
    else { return nil }
    (self.width, self.height, bitsPerChannel, self.colourType) = (width, height, bits, colourType)
  }
}

/// The chunks of a WebP file (RFC 9649, section 2), in sequence.
package struct WebPChunks {
  package struct Chunk {
    package var name: String
    package var data: ArraySlice<UInt8>
  }

  private var chunks: ByteReader<ArraySlice<UInt8>>
  /// True when nothing follows the picture.
  package let isWholeFile: Bool

  /// - Returns: nil when the bytes do not begin with a WebP header, or are fewer than it states.
  package init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard reader.text(4) == "RIFF", let size = reader.littleEndian(4), let body = reader.take(size) else { return nil }
    isWholeFile = reader.isAtEnd
    chunks = ByteReader(body)
    guard chunks.text(4) == "WEBP" else { return nil }
  }

  package var isAtEnd: Bool { chunks.isAtEnd }

  /// - Returns: nil at the end, or when a chunk is truncated.
  package mutating func next() -> Chunk? {
    guard let name = chunks.text(4), let length = chunks.littleEndian(4), let data = chunks.take(length),
      chunks.take(length % 2) != nil
    else { return nil }
    return Chunk(name: name, data: data)
  }
}

/// The picture properties in a chunk of a WebP file (RFC 9649, 2.5 to 2.7, 3.4; RFC 6386, 9.1).
package struct WebPHeader: Equatable {
  package var width: Int
  package var height: Int
  /// True when there may be transparent pixels.
  package var hasAlpha: Bool
  /// The feature flags of an extended header; zero for other chunks.
  package var flags: UInt8 = 0

  /// - Returns: nil for a chunk without dimensions, or a damaged one.
  package init?(_ chunk: WebPChunks.Chunk) {
    var reader = ByteReader(chunk.data)
    switch chunk.name {
    case "VP8 ":
      guard let tag = reader.byte(), tag & 1 == 0, reader.take(2) != nil, reader.bigEndian(3) == 0x9d012a,
        let width = reader.littleEndian(2), let height = reader.littleEndian(2)
      else { return nil }
      self.init(width: width & 0x3fff, height: height & 0x3fff, hasAlpha: false)
    case "VP8L":
      guard reader.byte() == 0x2f, let bits = reader.littleEndian(4) else { return nil }
      self.init(width: bits & 0x3fff + 1, height: bits >> 14 & 0x3fff + 1, hasAlpha: bits >> 28 & 1 == 1)
    case "VP8X":
      guard let flags = reader.byte(), reader.take(3) != nil, let width = reader.littleEndian(3),
        let height = reader.littleEndian(3)
      else { return nil }
      self.init(width: width + 1, height: height + 1, hasAlpha: flags & 0x10 != 0, flags: flags)
    default: return nil
    }
  }

  private init(width: Int, height: Int, hasAlpha: Bool, flags: UInt8 = 0) {
    (self.width, self.height, self.hasAlpha, self.flags) = (width, height, hasAlpha, flags)
  }
}

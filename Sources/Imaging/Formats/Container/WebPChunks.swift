/// The chunks of a WebP file (RFC 9649, section 2), one after the other.
struct WebPChunks {
  struct Chunk {
    var name: String
    var data: ArraySlice<UInt8>
  }

  private var chunks: ByteReader<ArraySlice<UInt8>>
  /// True when nothing follows the picture.
  let isWholeFile: Bool

  /// - Returns: nil when the bytes do not begin as a WebP file does, or are fewer than it says.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard reader.text(4) == "RIFF", let size = reader.littleEndian(4), let body = reader.take(size) else { return nil }
    isWholeFile = reader.isAtEnd
    chunks = ByteReader(body)
    guard chunks.text(4) == "WEBP" else { return nil }
  }

  var isAtEnd: Bool { chunks.isAtEnd }

  /// - Returns: nil at the end, and where a chunk is cut off.
  mutating func next() -> Chunk? {
    guard let name = chunks.text(4), let length = chunks.littleEndian(4), let data = chunks.take(length),
      chunks.take(length % 2) != nil
    else { return nil }
    return Chunk(name: name, data: data)
  }
}

extension WebPChunks {
  private static let harmless: Set<String> = ["VP8 ", "VP8L", "VP8X"]

  /// Whether the file holds nothing but what makes its pixels, and ends where they end.
  static func areOnlyPixels(_ bytes: [UInt8]) -> Bool {
    guard var chunks = WebPChunks(bytes), chunks.isWholeFile else { return false }
    while !chunks.isAtEnd {
      guard let chunk = chunks.next(), harmless.contains(chunk.name) else { return false }
    }
    return true
  }
}

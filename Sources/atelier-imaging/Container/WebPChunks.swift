/// The chunks of a WebP file (RFC 9649, section 2).
enum WebPChunks {
  private static let harmless: Set<String> = ["VP8 ", "VP8L", "VP8X"]

  static func areOnlyPixels(_ reader: inout ByteReader<some RandomAccessCollection<UInt8>>) -> Bool {
    guard reader.text(4) == "RIFF", let size = reader.littleEndian(4), let body = reader.take(size), reader.isAtEnd
    else { return false }
    var chunks = ByteReader(body)
    guard chunks.text(4) == "WEBP" else { return false }
    while !chunks.isAtEnd {
      guard let name = chunks.text(4), harmless.contains(name), let length = chunks.littleEndian(4),
        chunks.take(length + length % 2) != nil
      else { return false }
    }
    return true
  }
}

/// What a chunk of a WebP file says of the picture (RFC 9649, 2.5 to 2.7, 3.4; RFC 6386, 9.1).
struct WebPHeader: Equatable {
  var width: Int
  var height: Int
  /// True when there may be transparent pixels.
  var hasAlpha: Bool
  /// Of an extended header: what else is in the file. Zero elsewhere.
  var flags: UInt8 = 0

  /// - Returns: nil for a chunk that has no size, and a damaged one.
  init?(_ chunk: WebPChunks.Chunk) {
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

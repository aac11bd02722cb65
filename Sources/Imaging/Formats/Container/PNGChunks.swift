/// The chunks of a PNG file (PNG, third edition, section 5), one after the other. Checksums are not looked at.
struct PNGChunks {
  struct Chunk {
    var name: String
    var data: ArraySlice<UInt8>
  }

  private var reader: ByteReader<[UInt8]>

  /// - Returns: nil when the bytes are fewer than a PNG file begins with.
  init?(_ bytes: [UInt8]) {
    reader = ByteReader(bytes)
    guard reader.take(8) != nil else { return nil }
  }

  /// True when nothing follows the chunk that was given last.
  var isAtEnd: Bool { reader.isAtEnd }

  /// - Returns: nil where the file ends too early.
  mutating func next() -> Chunk? {
    guard let length = reader.bigEndian(4), let name = reader.text(4), let data = reader.take(length),
      reader.take(4) != nil
    else { return nil }
    return Chunk(name: name, data: data)
  }
}

extension PNGChunks {
  private static let harmless: Set<String> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "sRGB", "gAMA", "cHRM", "sBIT", "pHYs", "bKGD",
  ]

  /// Whether the file holds nothing but what makes its pixels, and ends where they end.
  static func areOnlyPixels(_ bytes: [UInt8]) -> Bool {
    guard var chunks = PNGChunks(bytes) else { return false }
    while let chunk = chunks.next() {
      guard harmless.contains(chunk.name) else { return false }
      if chunk.name == "IEND" { return chunk.data.isEmpty && chunks.isAtEnd }
    }
    return false
  }
}

/// The chunks of a PNG file (PNG, third edition, section 11).
enum PNGChunks {
  private static let harmless: Set<String> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "sRGB", "gAMA", "cHRM", "sBIT", "pHYs", "bKGD",
  ]

  static func areOnlyPixels(_ reader: inout ByteReader<some RandomAccessCollection<UInt8>>) -> Bool {
    guard reader.take(8) != nil else { return false }
    while let length = reader.bigEndian(4), let name = reader.text(4) {
      guard harmless.contains(name), reader.take(length) != nil, reader.take(4) != nil else { return false }
      if name == "IEND" { return length == 0 && reader.isAtEnd }
    }
    return false
  }
}

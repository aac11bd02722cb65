import PictureFiles

/// Checks whether a file contains only pixels: no metadata, comments, previews or colour profiles, no animation, and no
/// data hidden after its end. Only data known to be harmless is accepted.
public enum PlainFile {
  public static func holdsOnlyPixels(_ bytes: [UInt8], format: ImageFormat) -> Bool {
    switch format {
    case .jpeg: JPEGSegments.areOnlyPixels(bytes)
    case .png: PNGChunks.areOnlyPixels(bytes)
    case .webp: WebPChunks.areOnlyPixels(bytes)
    case .heic, .avif: false
    }
  }
}

extension JPEGSegments {
  /// Whether the file contains only the data for its pixels, and ends where they end.
  fileprivate static func areOnlyPixels(_ bytes: [UInt8]) -> Bool {
    guard var segments = JPEGSegments(bytes) else { return false }
    while let segment = segments.next() {
      switch segment.marker {
      case 0xd9:  // end of image
        return segments.isAtEnd
      case 0xc0, 0xc1, 0xc2, 0xc4, 0xda, 0xdb, 0xdd:
        // frames, Huffman tables, scans, quantisation tables, restart interval
        continue
      case 0xe0:  // JFIF; longer than 14 bytes it carries a preview
        guard segment.data.count == 14, segment.data.starts(with: Array("JFIF\0".utf8)) else { return false }
      case 0xee:  // Adobe, when it is no longer than its fixed fields
        guard segment.data.count == 12, segment.data.starts(with: Array("Adobe".utf8)) else { return false }
      default:
        return false
      }
    }
    return false
  }
}

extension PNGChunks {
  private static let harmless: Set<String> = [
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "sRGB", "gAMA", "cHRM", "sBIT", "pHYs", "bKGD",
  ]

  /// Whether the file contains only the data for its pixels, which are in sRGB, and ends where they end.
  fileprivate static func areOnlyPixels(_ bytes: [UInt8]) -> Bool {
    guard var chunks = PNGChunks(bytes), PNGColours(bytes).numbered == nil else { return false }
    while let chunk = chunks.next() {
      guard harmless.contains(chunk.name) else { return false }
      if chunk.name == "IEND" { return chunk.data.isEmpty && chunks.isAtEnd }
    }
    return false
  }
}

extension WebPChunks {
  private static let harmless: Set<String> = ["VP8 ", "VP8L", "VP8X"]

  /// Whether the file contains only the data for its pixels, and ends where they end.
  fileprivate static func areOnlyPixels(_ bytes: [UInt8]) -> Bool {
    guard var chunks = WebPChunks(bytes), chunks.isWholeFile else { return false }
    while !chunks.isAtEnd {
      guard let chunk = chunks.next(), harmless.contains(chunk.name) else { return false }
    }
    return true
  }
}

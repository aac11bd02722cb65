import PictureFiles

/// The metadata that a PNG has behind its pixels (PNG, third edition, 5.6), where decoders do not look for it before they
/// have decoded all: the orientation and the location in `eXIf`, and XMP in `iTXt`.
///
/// Chromium ignores what stands there; Pillow finds it.
public enum LatePNGMetadata {
  private static let names: Set<String> = ["eXIf", "iTXt"]

  /// - Returns: the same chunks with the metadata before the pixels; nil where none is behind them.
  public static func moved(beforePixelsOf bytes: [UInt8]) -> [UInt8]? {
    guard var chunks = PNGChunks(bytes) else { return nil }
    var firstPixels: Int?
    var late: [Range<Int>] = []
    while let chunk = chunks.next() {
      // The length and the name come before the data, the checksum behind it.
      let place = chunk.data.startIndex - 8..<chunk.data.endIndex + 4
      if chunk.name == "IDAT" { firstPixels = firstPixels ?? place.lowerBound }
      if firstPixels != nil, names.contains(chunk.name), chunk.isIntact { late.append(place) }
      if chunk.name == "IEND" { break }
    }
    guard let firstPixels, !late.isEmpty else { return nil }
    var result = Array(bytes[..<firstPixels])
    for place in late { result += bytes[place] }
    var position = firstPixels
    for place in late {
      result += bytes[position..<place.lowerBound]
      position = place.upperBound
    }
    return result + bytes[position...]
  }
}

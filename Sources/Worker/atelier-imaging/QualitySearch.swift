import AtelierProtocol
import Imaging
import JSON
import Localization

/// Finds the highest quality at which a picture's file is small enough, and a higher one where it would be too small.
struct QualitySearch {
  /// Below this, faces show visible artifacts of compression.
  static let lowest = 30

  /// The most bytes; nil for any number.
  var maximumBytes: Int?
  /// The fewest bytes of a JPEG; nil for any number.
  var minimumBytes: Int?
  /// The quality of a file that may have any number of bytes.
  var highest: Int

  /// - Parameter encode: makes the file of a quality.
  /// - Throws: what `encode` throws; `image_too_large` when no quality is low enough.
  func file(_ encode: (Int) throws -> [UInt8]) throws -> [UInt8] {
    let largest = try largestFile(encode)
    guard let minimumBytes, largest.count < minimumBytes else { return largest }
    let (better, isFound) = try betterFile(than: largest, of: minimumBytes, encode)
    return isFound ? better : JPEGFilling.filled(better, to: minimumBytes)
  }

  /// The file of the lowest quality above the usual one that has enough bytes, or the largest that is not too large.
  private func betterFile(
    than file: [UInt8], of minimumBytes: Int, _ encode: (Int) throws -> [UInt8]
  ) throws -> (file: [UInt8], isFound: Bool) {
    var (low, high, best, found) = (highest, 101, file, [UInt8]?.none)
    while high - low > 1 {
      let middle = (low + high) / 2
      let file = try encode(middle)
      if file.count > maximumBytes ?? .max {
        high = middle
      } else if file.count >= minimumBytes {
        (high, found) = (middle, file)
      } else {
        (low, best) = (middle, file)
      }
    }
    return found.map { ($0, true) } ?? (best, false)
  }

  private func largestFile(_ encode: (Int) throws -> [UInt8]) throws -> [UInt8] {
    let first = try encode(highest)
    guard let maximumBytes, first.count > maximumBytes else { return first }
    var (low, high) = (min(Self.lowest, highest), highest)
    var best = low == high ? first : try encode(low)
    guard best.count <= maximumBytes else {
      throw ImagingError(
        .imageTooLarge,
        "The picture needs at least \(best.count) bytes, and \(maximumBytes) are allowed. Ask for a smaller size, or allow "
          + "more bytes.",
        details: ["bytes": .number(JSONNumber(best.count)), "maxBytes": .number(JSONNumber(maximumBytes))])
    }
    while high - low > 1 {
      let middle = (low + high) / 2
      let file = try encode(middle)
      if file.count <= maximumBytes { (low, best) = (middle, file) } else { high = middle }
    }
    return best
  }
}

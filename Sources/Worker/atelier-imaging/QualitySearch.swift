import AtelierProtocol
import Imaging
import JSON
import Localization

/// Finds the highest quality at which a picture's file is small enough.
struct QualitySearch {
  /// Below this, faces show visible artifacts of compression.
  static let lowest = 30

  /// The most bytes; nil for any number.
  var maximumBytes: Int?
  /// The quality of a file that may have any number of bytes.
  var highest: Int

  /// - Parameter encode: makes the file of a quality.
  /// - Throws: what `encode` throws; `image_too_large` when no quality is low enough.
  func file(_ encode: (Int) throws -> [UInt8]) throws -> [UInt8] {
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

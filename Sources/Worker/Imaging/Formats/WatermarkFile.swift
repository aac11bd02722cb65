import Localization
import PictureFiles

/// The operator's watermark for small pictures: a PNG with transparency, checked as far as that goes without decoding it.
///
/// The worker decodes it, like everything else (``ImagingWorker/check(_:)``).
public struct WatermarkFile: Sendable, Equatable {
  /// Why a file cannot be used.
  public enum Problem: Error, Sendable, Equatable {
    case tooLarge
    case notPNG
    case wrongSides(width: Int, height: Int)
    /// It would hide the picture.
    case opaque
    /// Truncated, or not as it was written.
    case damaged
  }

  /// The most bytes of the file.
  public static let maximumBytes = 1_000_000
  /// The sides that it may have, in pixels.
  public static let sides = 16...2048
  /// What is said to a person while there is no watermark that could be used.
  public static let missing: Sentence = "The picture cannot be shown with a watermark."

  public let bytes: [UInt8]

  public init(_ bytes: [UInt8]) throws(Problem) {
    guard bytes.count <= Self.maximumBytes else { throw .tooLarge }
    guard case .picture(.png) = RecognisedContent(of: bytes) else { throw .notPNG }
    guard PictureSides(png: bytes) != nil, var chunks = PNGChunks(bytes), let first = chunks.next(), first.isIntact,
      let header = PNGHeader(first)
    else { throw .damaged }
    guard Self.sides.contains(header.width), Self.sides.contains(header.height) else {
      throw .wrongSides(width: header.width, height: header.height)
    }
    var hasTransparency = header.hasAlpha
    while let chunk = chunks.next() {
      guard chunk.isIntact else { throw .damaged }
      hasTransparency = hasTransparency || chunk.name == "tRNS"
      if chunk.name == "IEND" { break }
    }
    guard hasTransparency else { throw .opaque }
    self.bytes = bytes
  }
}

extension PNGHeader {
  fileprivate var hasAlpha: Bool { colourType == 4 || colourType == 6 }
}

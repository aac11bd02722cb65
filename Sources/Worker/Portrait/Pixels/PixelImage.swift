/// A picture in memory: sRGB, 8 bits a channel, red green blue interleaved, rows from the top, no padding.
public struct PixelImage: Sendable, Equatable {
  /// Pixels in a row.
  public var width: Int
  /// Number of rows.
  public var height: Int
  /// `width * height * 3` bytes; anything else is refused with ``PortraitError/malformedImage`` on use.
  public var pixels: [UInt8]

  public init(width: Int, height: Int, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// True when the sides are positive and the number of bytes fits them.
  var isWellFormed: Bool {
    guard width > 0, height > 0, width <= 1 << 20, height <= 1 << 20 else { return false }
    return pixels.count == width * height * 3
  }
}

import AtelierProtocol
import Imaging

/// What this machine makes of a request's size, aspect ratio and crop.
enum OnDeviceShape {
  static let aspectRatios = ["1:1", "4:5", "3:4", "2:3"]
  /// The longest side, in pixels.
  static let sizes = 256...2048
  static let usualSize = 1024

  private static let names = ["1K": 1024, "2K": 2048]

  /// - Returns: nil for what this machine does not make.
  static func shape(
    size: String?, aspectRatio: String?, crop: PictureCrop?, passportSize: PassportSize? = nil
  ) -> HeadshotShape? {
    let ratio = aspectRatio ?? size.flatMap(self.aspectRatio) ?? "1:1"
    guard aspectRatios.contains(ratio), let (width, height) = sides(ratio) else { return nil }
    guard let side = longestSide(size, width: width, height: height), sizes.contains(side) else { return nil }
    switch crop {
    case .passport: return .passport(passportSize ?? .standard, longestSide: side)
    case .wholeFrame: return .wholeFrame(longestSide: side)
    case nil: return HeadshotShape(width: width, height: height, longestSide: side)
    }
  }

  /// The longest side of a size, which must have this shape if it is written as two sides.
  private static func longestSide(_ size: String?, width: Int, height: Int) -> Int? {
    guard let size else { return usualSize }
    if let side = names[size] ?? whole(size[...]) { return side }
    guard let sides = pair(size, "x"), sides.1 >= sides.0 else { return nil }
    // Each side is rounded to a whole pixel.
    return abs(sides.0 * height - sides.1 * width) <= height ? sides.1 : nil
  }

  /// The aspect ratio of a size that is written as two sides; nil for any other.
  private static func aspectRatio(of size: String) -> String? {
    guard let sides = pair(size, "x") else { return nil }
    return aspectRatios.first { ratio in
      guard let (width, height) = self.sides(ratio) else { return false }
      return abs(sides.0 * height - sides.1 * width) <= height
    }
  }

  private static func sides(_ ratio: String) -> (Int, Int)? { pair(ratio, ":") }

  private static func pair(_ text: String, _ separator: Character) -> (Int, Int)? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = whole(parts[0]), let second = whole(parts[1]) else { return nil }
    return (first, second)
  }

  /// A whole number of one to five digits, at least 1.
  private static func whole(_ text: Substring) -> Int? {
    guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
      number > 0
    else { return nil }
    return number
  }
}

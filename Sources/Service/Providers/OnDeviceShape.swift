import AtelierProtocol
import Imaging

/// What this machine makes of a request's size, aspect ratio and crop.
enum OnDeviceShape {
  static let aspectRatios = ["1:1", "4:5", "3:4", "2:3"]
  /// The longest side, in pixels.
  static let sizes = 256...2048
  static let usualSize = 1024
  /// The sides of a photo for a passport in pixels, where both are given.
  static let exactSizes = 100...2048

  private static let names = ["1K": 1024, "2K": 2048]

  /// - Parameter passport: what a photo for a passport has to be, without its sides in pixels; nil for another picture.
  /// - Returns: nil for what this machine does not make.
  static func shape(
    size: String?, aspectRatio: String?, crop: PictureCrop?, passport: PassportPhoto? = nil
  ) -> HeadshotShape? {
    if let passport { return self.passport(passport, size: size) }
    let ratio = aspectRatio ?? size.flatMap(self.aspectRatio) ?? "1:1"
    guard aspectRatios.contains(ratio), let (width, height) = sides(ratio) else { return nil }
    guard let side = longestSide(size, width: width, height: height), sizes.contains(side) else { return nil }
    switch crop {
    case .wholeFrame: return .wholeFrame(longestSide: side)
    case .passport, nil: return HeadshotShape(width: width, height: height, longestSide: side)
    }
  }

  /// The sides in pixels that a size asks for exactly; nil for a size of one side.
  static func exactSides(_ size: String?) -> (width: Int, height: Int)? { size.flatMap { pair($0, "x") } }

  private static func passport(_ photo: PassportPhoto, size: String?) -> HeadshotShape? {
    if let (width, height) = exactSides(size) {
      guard exactSizes.contains(width), exactSizes.contains(height),
        PassportSize.heights.contains(Double(height) / Double(width))
      else { return nil }
      return .passport(photo, width: width, height: height)
    }
    guard let printed = photo.printed, let side = longestSide(size, width: 1, height: 1), sizes.contains(side) else {
      return nil
    }
    return .passport(photo, printed: printed, longestSide: side)
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

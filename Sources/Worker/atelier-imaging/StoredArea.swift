import Portrait

/// A rectangle of whole pixels in the picture as stored, which may be rotated or mirrored.
struct StoredArea: Equatable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  /// The stored area of a part of the upright picture.
  /// - Parameters:
  ///   - orientation: the EXIF orientation, 1…8 (EXIF 2.3, tag 274).
  ///   - storedWidth: the sides of the picture as stored.
  init(of upright: PixelRectangle, orientation: Int, storedWidth: Int, storedHeight: Int) {
    let (x, y, width, height) = (upright.x, upright.y, upright.width, upright.height)
    let fromRight = storedWidth - x - width
    let fromBottom = storedHeight - y - height
    switch orientation {
    case 2: self.init(x: fromRight, y: y, width: width, height: height)
    case 3: self.init(x: fromRight, y: fromBottom, width: width, height: height)
    case 4: self.init(x: x, y: fromBottom, width: width, height: height)
    case 5: self.init(x: y, y: x, width: height, height: width)
    case 6: self.init(x: y, y: storedHeight - x - width, width: height, height: width)
    case 7: self.init(x: storedWidth - y - height, y: storedHeight - x - width, width: height, height: width)
    case 8: self.init(x: storedWidth - y - height, y: x, width: height, height: width)
    default: self.init(x: x, y: y, width: width, height: height)
    }
  }

  /// The orientation after one quarter turn more, clockwise.
  static func turned(_ orientation: Int) -> Int { [1: 6, 6: 3, 3: 8, 8: 1, 2: 7, 7: 4, 4: 5, 5: 2][orientation] ?? 6 }

  /// The orientation that undoes another; only the quarter turns are not their own inverse.
  static func inverse(of orientation: Int) -> Int { orientation == 6 ? 8 : orientation == 8 ? 6 : orientation }

  init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The corresponding area in a smaller decoded version of the stored picture; at least one pixel, inside it.
  func scaled(fromWidth: Int, fromHeight: Int, toWidth: Int, toHeight: Int) -> StoredArea {
    let (left, right) = Self.scaled(x, x + width, from: fromWidth, to: toWidth)
    let (top, bottom) = Self.scaled(y, y + height, from: fromHeight, to: toHeight)
    return StoredArea(x: left, y: top, width: right - left, height: bottom - top)
  }

  private static func scaled(_ start: Int, _ end: Int, from: Int, to: Int) -> (Int, Int) {
    let factor = Double(to) / Double(from)
    let first = max(0, min(Int((Double(start) * factor).rounded()), to - 1))
    return (first, max(first + 1, min(Int((Double(end) * factor).rounded()), to)))
  }
}

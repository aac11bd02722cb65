/// Where a watermark stands on a picture, in pixels: in rows with gaps, of which every second one is shifted.
///
/// All of it is in proportion to the picture, so that the watermark covers the same parts of it at every size, and at least
/// one is whole, whatever the picture's shape.
struct WatermarkLayout: Equatable {
  /// The parts of the picture's longest side that the watermark has in width, and at most in height.
  private static let width = 1.0 / 4
  private static let maximumHeight = 1.0 / 2
  /// The gap between two watermarks, as a part of the watermark's longer side.
  private static let gap = 1.0 / 2

  /// The watermark's sides.
  var width: Int
  var height: Int
  /// From the left edge of a watermark to that of the next in its row.
  var columnStep: Int
  /// From the upper edge of a row to that of the next.
  var rowStep: Int
  /// The upper left corner of the first whole watermark.
  var left: Int
  var top: Int

  /// - Parameters:
  ///   - width: the sides of the watermark as it is stored, positive like those of the picture.
  init(width: Int, height: Int, pictureWidth: Int, pictureHeight: Int) {
    let longest = Double(max(pictureWidth, pictureHeight))
    let factor = min(
      min(longest * Self.width, Double(pictureWidth)) / Double(width),
      min(longest * Self.maximumHeight, Double(pictureHeight)) / Double(height))
    self.width = max(1, Int((Double(width) * factor).rounded()))
    self.height = max(1, Int((Double(height) * factor).rounded()))
    let gap = max(1, Int((Double(max(self.width, self.height)) * Self.gap).rounded()))
    columnStep = self.width + gap
    rowStep = self.height + gap
    left = max(0, min(gap / 2, (pictureWidth - self.width) / 2))
    top = max(0, min(gap / 2, (pictureHeight - self.height) / 2))
  }
}

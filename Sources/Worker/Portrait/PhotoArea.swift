/// The columns and rows of a square that show the photo in its middle.
struct PhotoArea: Equatable {
  let columns: Range<Int>
  let rows: Range<Int>

  /// - Parameters:
  ///   - photoWidth: the photo's sides, in any unit.
  ///   - size: the side of the square in pixels.
  init(photoWidth: Int, photoHeight: Int, size: Int) {
    let side = max(photoWidth, photoHeight)
    func middle(_ length: Int) -> Range<Int> {
      let count = max(1, Int((Double(length) / Double(side) * Double(size)).rounded()))
      let first = (size - count) / 2
      return first..<first + count
    }
    (columns, rows) = (middle(photoWidth), middle(photoHeight))
  }

  /// The plane with the photo's outermost values beyond it, so that whom the photo cuts off is not taken to end there.
  func continued(_ plane: Plane<Float>) -> Plane<Float> {
    var result = plane
    for y in 0..<plane.height {
      for x in 0..<plane.width {
        result[x, y] = plane[
          max(columns.lowerBound, min(columns.upperBound - 1, x)), max(rows.lowerBound, min(rows.upperBound - 1, y))]
      }
    }
    return result
  }

  /// - Parameter picture: of the whole square.
  func part(of picture: FinishedPicture) -> FinishedPicture {
    let width = picture.image.width
    var (pixels, opacity): ([UInt8], [UInt8]) = ([], [])
    for row in rows {
      let first = row * width + columns.lowerBound
      pixels += picture.image.pixels[first * 3..<(first + columns.count) * 3]
      opacity += picture.opacity[first..<first + columns.count]
    }
    return FinishedPicture(
      image: PixelImage(width: columns.count, height: rows.count, pixels: pixels), opacity: opacity)
  }
}

/// How wide edges are: the contrast around a pixel as a multiple of the steepest rise from one pixel to the next.
struct EdgeWidth {
  /// In pixels of the matte: a sharp edge measures up to 4.5, one around something out of focus 7 to 15.
  static let sharp: Float = 4.5
  static let blurred: Float = 6.5
  /// The contrast over all channels below which the width of an edge cannot be told, and within how many pixels it is
  /// taken.
  private static let contrast = (least: Float(0.25), reach: 10)
  /// The steepest rise is looked for within so many pixels.
  private static let reach = 4

  let image: Plane<Colour>

  /// - Returns: nil where the contrast is too low.
  func width(_ x: Int, _ y: Int) -> Float? {
    var (least, most) = (Colour(repeating: 1), Colour.zero)
    func places(_ middle: Int, _ count: Int) -> StrideThrough<Int> {
      let reach = Self.contrast.reach
      return stride(from: max(0, middle - reach), through: min(count - 1, middle + reach), by: 2)
    }
    for row in places(y, image.height) {
      for column in places(x, image.width) {
        let colour = image[column, row]
        least = least.replacing(with: colour, where: colour .< least)
        most = most.replacing(with: colour, where: colour .> most)
      }
    }
    let contrast = length(most - least)
    guard contrast >= Self.contrast.least else { return nil }
    var steepest: Float = 1e-3
    for row in max(1, y - Self.reach)...max(1, min(image.height - 2, y + Self.reach)) {
      for column in max(1, x - Self.reach)...max(1, min(image.width - 2, x + Self.reach)) {
        steepest = max(steepest, gradient(column, row))
      }
    }
    return contrast / steepest
  }

  /// The gradient at each pixel, 0 at the edge of the picture.
  func gradients() -> [Float] {
    var result = [Float](repeating: 0, count: image.values.count)
    for y in 1..<max(1, image.height - 1) {
      for x in 1..<max(1, image.width - 1) { result[y * image.width + x] = gradient(x, y) }
    }
    return result
  }

  @inline(__always)
  private func gradient(_ x: Int, _ y: Int) -> Float {
    let at = y * image.width + x
    let (across, down) = (
      image.values[at + 1] - image.values[at - 1], image.values[at + image.width] - image.values[at - image.width]
    )
    return ((across * across + down * down).replacingLast(0).sum()).squareRoot() / 2
  }

  @inline(__always)
  private func length(_ colour: Colour) -> Float {
    ((colour * colour).replacingLast(0).sum()).squareRoot()
  }
}

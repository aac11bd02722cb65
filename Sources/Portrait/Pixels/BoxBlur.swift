/// The mean over a square window, at a cost that does not depend on its size.
///
/// At the edges the window is what lies inside, so a constant picture stays constant.
enum BoxBlur {
  static func apply(_ plane: Plane<Colour>, radius: Int) -> Plane<Colour> {
    guard radius > 0 else { return plane }
    return vertical(horizontal(plane, radius), radius)
  }

  /// Three in a row, close to a bell of the standard deviation `radius`.
  static func smooth(_ plane: Plane<Colour>, radius: Int) -> Plane<Colour> {
    apply(apply(apply(plane, radius: radius), radius: radius), radius: radius)
  }

  private static func horizontal(_ plane: Plane<Colour>, _ radius: Int) -> Plane<Colour> {
    let width = plane.width
    var result = plane
    for y in 0..<plane.height {
      let row = y * width
      var sum = Colour.zero
      for x in 0..<min(radius, width) { sum += plane.values[row + x] }
      for x in 0..<width {
        if x + radius < width { sum += plane.values[row + x + radius] }
        if x - radius - 1 >= 0 { sum -= plane.values[row + x - radius - 1] }
        let count = min(x + radius, width - 1) - max(x - radius, 0) + 1
        result.values[row + x] = sum / Float(count)
      }
    }
    return result
  }

  private static func vertical(_ plane: Plane<Colour>, _ radius: Int) -> Plane<Colour> {
    let (width, height) = (plane.width, plane.height)
    var result = plane
    var sums = [Colour](repeating: .zero, count: width)
    for y in 0..<min(radius, height) {
      for x in 0..<width { sums[x] += plane.values[y * width + x] }
    }
    for y in 0..<height {
      if y + radius < height {
        for x in 0..<width { sums[x] += plane.values[(y + radius) * width + x] }
      }
      if y - radius - 1 >= 0 {
        for x in 0..<width { sums[x] -= plane.values[(y - radius - 1) * width + x] }
      }
      let factor = 1 / Float(min(y + radius, height - 1) - max(y - radius, 0) + 1)
      for x in 0..<width { result.values[y * width + x] = sums[x] * factor }
    }
    return result
  }
}

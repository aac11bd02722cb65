/// Makes a mask follow the edges of a picture: around each pixel the mask becomes a linear function of the colour.
///
/// Source: He, Sun, Tang, "Guided Image Filtering", TPAMI 2013, section 3 (colour guide).
enum GuidedFilter {
  private typealias Tuning = MatteTuning.Filter

  /// The function of each pixel: factors of red, green and blue, then the constant.
  static func coefficients(
    mask: Plane<Float>, guide: Plane<Colour>, radius: Int, epsilon: Float
  ) -> Plane<Colour> {
    let (width, height) = (guide.width, guide.height)
    let values = [Colour](unsafeUninitializedCapacity: width * height) { target, count in
      // Each half writes rows of its own.
      nonisolated(unsafe) let target = target
      Parallel.forEachPart(of: height) { rows in
        fill(rows, of: target, mask, guide, radius, epsilon)
      }
      count = width * height
    }
    return BoxBlur.apply(Plane(width: width, height: height, values: values), radius: radius)
  }

  /// The functions of some rows, each from the window around its pixel alone.
  private static func fill(
    _ rows: Range<Int>, of target: UnsafeMutableBufferPointer<Colour>, _ mask: Plane<Float>, _ guide: Plane<Colour>,
    _ radius: Int, _ epsilon: Float
  ) {
    let (width, height) = (guide.width, guide.height)
    // The sums over the window's rows, in each column.
    var columns = [Moments](repeating: Moments(), count: width)
    func change(row: Int, _ apply: (inout Moments, Moments) -> Void) {
      guard row >= 0, row < height else { return }
      let start = row * width
      for x in 0..<width { apply(&columns[x], Moments(guide.values[start + x], mask.values[start + x])) }
    }
    // The first row's window, but a row earlier.
    for row in rows.lowerBound - radius - 1..<rows.lowerBound + radius { change(row: row, +=) }
    for y in rows {
      change(row: y + radius, +=)
      change(row: y - radius - 1, -=)
      let lines = Float(min(y + radius, height - 1) - max(y - radius, 0) + 1)
      var window = Moments()
      for x in 0..<min(radius, width) { window += columns[x] }
      for x in 0..<width {
        if x + radius < width { window += columns[x + radius] }
        if x - radius - 1 >= 0 { window -= columns[x - radius - 1] }
        let count = lines * Float(min(x + radius, width - 1) - max(x - radius, 0) + 1)
        target[y * width + x] = function(of: window, factor: 1 / count, epsilon)
      }
    }
  }

  /// - Parameter factor: what makes means of the sums.
  @inline(__always)
  private static func function(of sums: Moments, factor: Float, _ epsilon: Float) -> Colour {
    let mean = sums.colour * factor
    if mean.w < Tuning.uniform { return .zero }
    if mean.w > 1 - Tuning.uniform { return Colour(0, 0, 0, 1) }
    let products = sums.products * factor
    let masked = sums.masked * factor
    let covariance = masked - mean * mean.w
    let matrix = SymmetricMatrix(
      xx: products.x - mean.x * mean.x + epsilon, xy: products.y - mean.x * mean.y, xz: products.z - mean.x * mean.z,
      yy: masked.w - mean.y * mean.y + epsilon, yz: products.w - mean.y * mean.z,
      zz: sums.blue * factor - mean.z * mean.z + epsilon)
    let factors = matrix.solve(covariance)
    return factors.replacingLast(mean.w - factors.x * mean.x - factors.y * mean.y - factors.z * mean.z)
  }

  /// A colour with the mask, and all their products; or sums of them.
  private struct Moments {
    /// The fourth number is the mask.
    var colour = Colour.zero
    /// The colour times the mask; the fourth number is green times green.
    var masked = Colour.zero
    /// Red times red, green and blue; green times blue.
    var products = Colour.zero
    /// Blue times blue.
    var blue: Float = 0

    init() {}

    @inline(__always)
    init(_ colour: Colour, _ mask: Float) {
      self.colour = colour.replacingLast(mask)
      masked = (colour * mask).replacingLast(colour.y * colour.y)
      products = Colour(colour.x * colour.x, colour.x * colour.y, colour.x * colour.z, colour.y * colour.z)
      blue = colour.z * colour.z
    }

    @inline(__always)
    static func += (left: inout Moments, right: Moments) {
      left.colour += right.colour
      left.masked += right.masked
      left.products += right.products
      left.blue += right.blue
    }

    @inline(__always)
    static func -= (left: inout Moments, right: Moments) {
      left.colour -= right.colour
      left.masked -= right.masked
      left.products -= right.products
      left.blue -= right.blue
    }
  }

  @inline(__always)
  static func value(of coefficients: Colour, at colour: Colour) -> Float {
    (coefficients * colour.replacingLast(1)).sum()
  }

  private struct SymmetricMatrix {
    var xx, xy, xz, yy, yz, zz: Float

    /// The solution of the linear system with the right side `right`, by Cramer's rule; epsilon on the diagonal keeps
    /// the matrix regular.
    @inline(__always)
    func solve(_ right: Colour) -> Colour {
      let a = yy * zz - yz * yz
      let b = xz * yz - xy * zz
      let c = xy * yz - xz * yy
      let determinant = xx * a + xy * b + xz * c
      let factor = abs(determinant) > 1e-20 ? 1 / determinant : 0
      return Colour(
        (a * right.x + b * right.y + c * right.z) * factor,
        (b * right.x + (xx * zz - xz * xz) * right.y + (xy * xz - xx * yz) * right.z) * factor,
        (c * right.x + (xy * xz - xx * yz) * right.y + (xx * yy - xy * xy) * right.z) * factor, 0)
    }
  }
}

/// Makes a mask follow the edges of a picture: around each pixel the mask becomes a linear function of the colour.
///
/// Source: He, Sun, Tang, "Guided Image Filtering", TPAMI 2013, section 3 (colour guide).
enum GuidedFilter {
  /// The function of each pixel: factors of red, green and blue, then the constant.
  static func coefficients(
    mask: Plane<Float>, guide: Plane<Colour>, radius: Int, epsilon: Float
  ) -> Plane<Colour> {
    // Means of colour and mask, and of all their products, four at a time.
    let first = BoxBlur.apply(guide.combined(with: mask) { $0.replacingLast($1) }, radius: radius)
    let masked = BoxBlur.apply(guide.combined(with: mask) { ($0 * $1).replacingLast($0.y * $0.y) }, radius: radius)
    let products = BoxBlur.apply(
      guide.map { Colour($0.x * $0.x, $0.x * $0.y, $0.x * $0.z, $0.y * $0.z) }, radius: radius)
    let blue = BoxBlur.apply(guide.map { $0.z * $0.z }, radius: radius)
    var result = Plane<Colour>(width: guide.width, height: guide.height, repeating: .zero)
    for index in result.values.indices {
      let mean = first.values[index]
      let product = products.values[index]
      let rest = masked.values[index]
      let covariance = rest - mean * mean.w
      let matrix = SymmetricMatrix(
        xx: product.x - mean.x * mean.x + epsilon, xy: product.y - mean.x * mean.y, xz: product.z - mean.x * mean.z,
        yy: rest.w - mean.y * mean.y + epsilon, yz: product.w - mean.y * mean.z,
        zz: blue.values[index] - mean.z * mean.z + epsilon)
      let factors = matrix.solve(covariance)
      let constant = mean.w - factors.x * mean.x - factors.y * mean.y - factors.z * mean.z
      result.values[index] = factors.replacingLast(constant)
    }
    return BoxBlur.apply(result, radius: radius)
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

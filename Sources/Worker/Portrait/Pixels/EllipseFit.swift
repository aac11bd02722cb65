/// The ellipse, neither turned nor skewed, that is nearest to some points, by least squares.
struct EllipseFit {
  /// The factors of x², y², x and y, whose sum is 1 on the ellipse.
  private let factors: SIMD4<Double>

  /// - Parameter points: with coordinates of about −1…1.
  /// - Returns: nil where the points lie on no ellipse around 0, 0, or are too few.
  init?(_ points: [Point]) {
    guard points.count >= 4 else { return nil }
    // The normal equations; the last column is the right side.
    var rows = [[Double]](repeating: [Double](repeating: 0, count: 5), count: 4)
    for point in points {
      let terms = [point.x * point.x, point.y * point.y, point.x, point.y, 1]
      for row in 0..<4 { for column in 0..<5 { rows[row][column] += terms[row] * terms[column] } }
    }
    guard let solution = Self.solved(rows), solution.x > 0, solution.y > 0 else { return nil }
    factors = solution
  }

  /// The distance of a point near the ellipse from it.
  func distance(of point: Point) -> Double {
    let value = factors.x * point.x * point.x + factors.y * point.y * point.y + factors.z * point.x + factors.w * point.y - 1
    let across = 2 * factors.x * point.x + factors.z
    let down = 2 * factors.y * point.y + factors.w
    return abs(value) / max(1e-9, (across * across + down * down).squareRoot())
  }

  /// Gaussian elimination with pivots.
  private static func solved(_ equations: [[Double]]) -> SIMD4<Double>? {
    var rows = equations
    for column in 0..<4 {
      guard let pivot = (column..<4).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }) else { return nil }
      rows.swapAt(column, pivot)
      guard abs(rows[column][column]) > 1e-9 else { return nil }
      for row in 0..<4 where row != column {
        let part = rows[row][column] / rows[column][column]
        for place in column..<5 { rows[row][place] -= part * rows[column][place] }
      }
    }
    return SIMD4(
      rows[0][4] / rows[0][0], rows[1][4] / rows[1][1], rows[2][4] / rows[2][2], rows[3][4] / rows[3][3])
  }
}

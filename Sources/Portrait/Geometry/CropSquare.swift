import Glibc

/// A square of a picture that may be rotated and may reach beyond the picture's edges.
public struct CropSquare: Sendable, Equatable {
  /// The middle of the square, in pixels.
  public var centre: Point
  /// The length of a side, in pixels.
  public var side: Double
  /// How far the square leans, in degrees clockwise: what leans so in the picture stands upright in the square.
  public var rotation: Double

  public init(centre: Point, side: Double, rotation: Double) {
    self.centre = centre
    self.side = side
    self.rotation = rotation
  }

  /// The picture's directions of the square's columns (down) and rows (across), of length 1.
  var directions: (down: Point, across: Point) {
    let angle = rotation * .pi / 180
    return (Point(x: -sin(angle), y: cos(angle)), Point(x: cos(angle), y: sin(angle)))
  }

  /// The picture's point at `u` across and `v` down, both 0…1 in the square.
  func point(_ u: Double, _ v: Double) -> Point {
    let (down, across) = directions
    let right = (u - 0.5) * side
    let below = (v - 0.5) * side
    return Point(
      x: centre.x + right * across.x + below * down.x, y: centre.y + right * across.y + below * down.y)
  }

  /// Where in the square, 0…1 both ways, a point of the picture lies.
  func position(of point: Point) -> Point {
    let (down, across) = directions
    let x = point.x - centre.x
    let y = point.y - centre.y
    return Point(
      x: (x * across.x + y * across.y) / side + 0.5, y: (x * down.x + y * down.y) / side + 0.5)
  }

  /// The upright rectangle that just holds the square.
  var bounds: Rectangle {
    let (down, across) = directions
    let width = side * (abs(across.x) + abs(down.x))
    let height = side * (abs(across.y) + abs(down.y))
    return Rectangle(x: centre.x - width / 2, y: centre.y - height / 2, width: width, height: height)
  }

  /// The square `factor` times as large around the same centre.
  func scaled(by factor: Double) -> CropSquare {
    CropSquare(centre: centre, side: side * factor, rotation: rotation)
  }
}

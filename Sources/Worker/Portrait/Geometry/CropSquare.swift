import Glibc

/// A square of a picture that may be rotated and may reach beyond the picture's edges.
public struct CropSquare: Sendable, Equatable {
  /// The centre of the square, in pixels.
  public var centre: Point
  /// The length of a side, in pixels.
  public var side: Double
  /// The rotation of the square in degrees, clockwise: what is rotated by this angle in the picture is upright in the
  /// square.
  public var rotation: Double

  public init(centre: Point, side: Double, rotation: Double) {
    self.centre = centre
    self.side = side
    self.rotation = rotation
  }

  /// The unit vectors of the square's columns (down) and rows (across), in the picture.
  var directions: (down: Point, across: Point) {
    let angle = rotation * .pi / 180
    return (Point(x: -sin(angle), y: cos(angle)), Point(x: cos(angle), y: sin(angle)))
  }

  /// The picture's point at `u` across and `v` down, both 0…1 in the square.
  func point(_ u: Double, _ v: Double) -> Point { CropRectangle(self).point(u, v) }

  /// The position of a picture's point in the square, 0…1 in both directions.
  func position(of point: Point) -> Point { CropRectangle(self).position(of: point) }

  /// The smallest upright rectangle that contains the square.
  var bounds: Rectangle {
    let (down, across) = directions
    let width = side * (abs(across.x) + abs(down.x))
    let height = side * (abs(across.y) + abs(down.y))
    return Rectangle(x: centre.x - width / 2, y: centre.y - height / 2, width: width, height: height)
  }

  /// The square without a rotation, turned around the point in the middle of its width at `height`, 0…1 from its top.
  func unrotated(around height: Double) -> CropSquare {
    let middle = point(0.5, height)
    return CropSquare(centre: Point(x: middle.x, y: middle.y + (0.5 - height) * side), side: side, rotation: 0)
  }

  /// The square `factor` times as large around the same centre.
  func scaled(by factor: Double) -> CropSquare {
    CropSquare(centre: centre, side: side * factor, rotation: rotation)
  }
}

/// A rectangle of a picture that may be rotated, for networks, which are shown people in photos of any shape squeezed to a
/// square.
struct CropRectangle: Equatable {
  var centre: Point
  /// The lengths of the sides across and down, in pixels.
  var width: Double
  var height: Double
  /// As of ``CropSquare/rotation``.
  var rotation: Double

  init(_ square: CropSquare) {
    centre = square.centre
    (width, height) = (square.side, square.side)
    rotation = square.rotation
  }

  /// The unit vectors of columns (down) and rows (across), in the picture.
  var directions: (down: Point, across: Point) {
    CropSquare(centre: centre, side: 1, rotation: rotation).directions
  }

  /// The picture's point at `u` across and `v` down, both 0…1 in the rectangle.
  func point(_ u: Double, _ v: Double) -> Point {
    let (down, across) = directions
    let (right, below) = ((u - 0.5) * width, (v - 0.5) * height)
    return Point(x: centre.x + right * across.x + below * down.x, y: centre.y + right * across.y + below * down.y)
  }

  /// The position of a picture's point in the rectangle, 0…1 in both directions.
  func position(of point: Point) -> Point {
    let (down, across) = directions
    let (x, y) = (point.x - centre.x, point.y - centre.y)
    return Point(
      x: (x * across.x + y * across.y) / width + 0.5, y: (x * down.x + y * down.y) / height + 0.5)
  }

  /// The rectangle, moved and if necessary narrowed so that it shows no more than a picture of this size has beside the
  /// person.
  ///
  /// A body goes on below a photo's lower edge, where repeated pixels look natural; beside a shoulder they do not. In a
  /// rotated rectangle, corners beyond the picture cannot be avoided.
  func inside(width limit: Double, height other: Double) -> CropRectangle {
    var result = self
    let longest = max(limit, other)
    (result.width, result.height) = (min(width, longest), min(height, longest))
    if rotation == 0 { result.width = min(result.width, max(limit, result.height / 2)) }
    let (down, across) = directions
    func moved(_ centre: Double, _ reach: Double, _ length: Double) -> Double {
      reach * 2 <= length ? max(reach, min(length - reach, centre)) : length / 2
    }
    let reach = (
      x: (result.width * abs(across.x) + result.height * abs(down.x)) / 2,
      y: (result.width * abs(across.y) + result.height * abs(down.y)) / 2
    )
    result.centre = Point(x: moved(centre.x, reach.x, limit), y: moved(centre.y, reach.y, other))
    return result
  }
}

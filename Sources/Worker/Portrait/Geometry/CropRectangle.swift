import Glibc

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

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

  /// An upright box of the picture on a grid of `size` × `size` over the square, around the same middle.
  func grid(_ box: Rectangle, size: Double) -> Rectangle {
    let centre = position(of: box.centre)
    let (width, height) = (box.width / side * size, box.height / side * size)
    return Rectangle(x: centre.x * size - width / 2, y: centre.y * size - height / 2, width: width, height: height)
  }

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

  /// An upright square moved, and made smaller as far as needed, so that its middle columns are inside of a picture.
  /// - Parameter aspect: the width of these columns in sides of the square.
  func movedInside(width: Double, height: Double, aspect: Double) -> CropSquare {
    guard rotation == 0 else { return self }
    let side = min(side, height, width / aspect)
    func inside(_ centre: Double, _ half: Double, _ length: Double) -> Double {
      max(half, min(max(half, length - half), centre))
    }
    let centre = Point(x: inside(centre.x, side * aspect / 2, width), y: inside(centre.y, side / 2, height))
    return CropSquare(centre: centre, side: side, rotation: 0)
  }

  /// The square `factor` times as large around the same centre.
  func scaled(by factor: Double) -> CropSquare {
    CropSquare(centre: centre, side: side * factor, rotation: rotation)
  }
}

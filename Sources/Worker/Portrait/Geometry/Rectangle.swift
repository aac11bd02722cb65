/// A rectangle with real coordinates. Its unit depends on the use.
public struct Rectangle: Sendable, Equatable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double

  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  public init(_ rectangle: PixelRectangle) {
    self.init(
      x: Double(rectangle.x), y: Double(rectangle.y), width: Double(rectangle.width), height: Double(rectangle.height))
  }

  var centre: Point { Point(x: x + width / 2, y: y + height / 2) }
  var area: Double { width * height }

  func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < x + width && point.y >= y && point.y < y + height
  }

  /// Intersection over union: 0 for separate rectangles, 1 for equal ones.
  func intersectionOverUnion(_ other: Rectangle) -> Double {
    let shared = intersectionArea(other)
    let union = area + other.area - shared
    return union > 0 ? shared / union : 0
  }

  func intersectionArea(_ other: Rectangle) -> Double {
    let sharedWidth = min(x + width, other.x + other.width) - max(x, other.x)
    let sharedHeight = min(y + height, other.y + other.height) - max(y, other.y)
    return max(0, sharedWidth) * max(0, sharedHeight)
  }
}

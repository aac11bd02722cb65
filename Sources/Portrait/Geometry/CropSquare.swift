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
}

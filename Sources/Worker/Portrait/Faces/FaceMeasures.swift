import Glibc

/// What the face mesh tells about pose and expression, for the rules of a passport.
public struct FaceMeasures: Sendable, Equatable {
  /// The lowest point of the chin; 0…1 across the whole photo, x by its width, y by its height.
  public var chin: Point
  /// How far the head is raised, in degrees; negative is lowered.
  public var pitch: Double
  /// The gap between the lips as a part of the mouth's width.
  public var mouthOpening: Double
  /// The gap between the lids as a part of the eye's width, of the eye that is less open.
  public var eyeOpening: Double

  public init(chin: Point, pitch: Double, mouthOpening: Double, eyeOpening: Double) {
    self.chin = chin
    self.pitch = pitch
    self.mouthOpening = mouthOpening
    self.eyeOpening = eyeOpening
  }

  /// - Parameter width: of the picture that the points are in, in pixels; likewise the height.
  init(_ points: FaceMesh.Points, width: Int, height: Int) {
    func distance(_ first: Int, _ second: Int) -> Double {
      let (a, b) = (points.xy[first], points.xy[second])
      return hypot(a.x - b.x, a.y - b.y)
    }
    let lowest = points.xy[Landmark.chin]
    chin = Point(x: lowest.x / Double(width), y: lowest.y / Double(height))
    pitch =
      atan2(points.z[Landmark.chin] - points.z[Landmark.forehead], distance(Landmark.chin, Landmark.forehead)) * 180 / .pi
      * -1
    mouthOpening = distance(13, 14) / max(1e-6, distance(61, 291))
    let left = distance(159, 145) / max(1e-6, distance(Landmark.viewersLeftEyeOuter, Landmark.viewersLeftEyeInner))
    let right = distance(386, 374) / max(1e-6, distance(Landmark.viewersRightEyeOuter, Landmark.viewersRightEyeInner))
    eyeOpening = min(left, right)
  }
}

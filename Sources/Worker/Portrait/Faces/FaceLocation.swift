import Glibc

/// The position and pose of the main face of a photo.
///
/// Lengths are normalised: 0…1 across the whole upright photo, x by its width, y by its height.
public struct FaceLocation: Sendable, Equatable {
  /// The face from chin to the middle of the forehead and from cheek to cheek.
  public var box: Rectangle
  /// The centre of the eye on the viewer's left, which is the person's right one.
  public var viewersLeftEye: Point
  /// The centre of the eye on the viewer's right.
  public var viewersRightEye: Point
  /// The quarter turns, 0…3 clockwise, after which the photo is upright; everything here is about the turned photo.
  public var quarterTurns = 0
  /// The roll of the head in degrees; positive is clockwise for the viewer.
  public var roll: Double
  /// The yaw of the head in degrees; negative is towards the viewer's left, ±90 is a profile.
  public var yaw: Double
  /// The yaw in the protocol's terms, −1…1: `left` is −0.5, `right` 0.5.
  public var turn: Double { max(-1, min(1, yaw / 90)) }
  /// The confidence that this is a face, 0…1.
  public var presence: Double
  /// The number of other faces.
  public var otherFaces: Int { others.count }
  /// Where the other faces are.
  public var others: [Rectangle]
  public var warnings: [PortraitWarning]
  /// The light of the whole photo.
  public var light: PhotoLight
  /// Pose and expression; nil where only the place of the face is known.
  public var measures: FaceMeasures?

  public init(
    box: Rectangle, viewersLeftEye: Point, viewersRightEye: Point, roll: Double, yaw: Double, presence: Double,
    others: [Rectangle] = [], warnings: [PortraitWarning] = [], light: PhotoLight = .neutral
  ) {
    self.box = box
    self.viewersLeftEye = viewersLeftEye
    self.viewersRightEye = viewersRightEye
    self.roll = roll
    self.yaw = yaw
    self.presence = presence
    self.others = others
    self.warnings = warnings
    self.light = light
  }
}

/// Where the one face of a photo is and how it is held.
///
/// Lengths are normalised: 0…1 across the whole photo, x by its width, y by its height.
public struct FaceLocation: Sendable, Equatable {
  /// The face from chin to the middle of the forehead and from cheek to cheek.
  public var box: Rectangle
  /// The centre of the eye on the viewer's left, which is the person's right one.
  public var viewersLeftEye: Point
  /// The centre of the eye on the viewer's right.
  public var viewersRightEye: Point
  /// How far the head leans, in degrees; positive clockwise as the viewer sees it.
  public var roll: Double
  /// How far the head is turned, in degrees; negative towards the viewer's left, ±90 is a profile.
  public var yaw: Double
  /// The yaw in the protocol's terms, −1…1: `left` is −0.5, `right` 0.5.
  public var turn: Double { max(-1, min(1, yaw / 90)) }
  /// How certain it is that this is a face, 0…1.
  public var presence: Double
  /// How many other faces there are.
  public var otherFaces: Int { others.count }
  /// Where the other faces are.
  public var others: [Rectangle]
  public var warnings: [PortraitWarning]
  /// The light of the whole photo.
  public var light: PhotoLight

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

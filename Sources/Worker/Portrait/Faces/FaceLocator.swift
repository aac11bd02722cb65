import Glibc
import Localization

/// Finds the main face of a photo.
struct FaceLocator {
  private typealias Tuning = FaceTuning.Locator

  let search: FaceSearch

  init() throws(PortraitError) {
    search = try FaceSearch()
  }

  /// - Parameter choosesOne: whether the others of the photo will be left out. Otherwise the largest face stands for all,
  ///   and may be cut off.
  func locate(in photo: PixelImage, choosesOne: Bool = true) throws(PortraitError) -> FaceLocation {
    guard let finding = try search.finding(in: photo) else { throw .noFace }
    let image = finding.image
    var faces = finding.faces
    let chosen =
      choosesOne ? try Self.dominant(of: faces.map(\.box), width: image.width, height: image.height) : faces.startIndex
    if choosesOne { try Self.checkChoice(chosen, of: faces.map(\.box), in: image) }
    var location = Self.location(of: faces[chosen].points, width: image.width, height: image.height)
    location.measures = FaceMeasures(faces[chosen].points, width: image.width, height: image.height)
    guard !choosesOne || Self.isWhole(location.box) else { throw .faceCutOff }
    location.quarterTurns = finding.quarterTurns
    faces.remove(at: chosen)
    location.others = faces.map { Self.normalised(FaceMesh.bounds($0.points.xy), image.width, image.height) }
    if choosesOne, location.otherFaces > 0 { location.warnings.append(Self.severalFaces(faces.count + 1)) }
    location.light = PhotoLight(measuring: image)
    return location
  }

  private static func severalFaces(_ count: Int) -> PortraitWarning {
    PortraitWarning(
      kind: .severalFaces,
      message: "The photo shows \(count) people; the most prominent one was taken. "
        + "A photo of one person alone gives a better picture.")
  }

  /// Whether almost all of the face is inside the photo.
  static func isWhole(_ box: Rectangle) -> Bool {
    box.area > 0 && box.intersectionArea(Rectangle(x: 0, y: 0, width: 1, height: 1)) >= box.area * Tuning.whole
  }

  /// The index of the main face: the largest, unless another is about as large and as central.
  static func dominant(of boxes: [Rectangle], width: Int, height: Int) throws(PortraitError) -> Int {
    let centre = Point(x: Double(width) / 2, y: Double(height) / 2)
    let reach = hypot(centre.x, centre.y)
    let prominence = boxes.map { box in
      let distance = hypot(box.centre.x - centre.x, box.centre.y - centre.y) / reach
      return box.area * (1 - Tuning.cornerLoss * distance)
    }
    guard let largest = prominence.max(), let chosen = prominence.firstIndex(of: largest) else { throw .noFace }
    let equals = prominence.count { $0 >= largest * Tuning.equalArea }
    guard equals == 1 else { throw .severalFaces(count: equals) }
    return chosen
  }

  /// Refuses to choose where several heads touch, and where the chosen face is blurred and others behind it are sharp.
  private static func checkChoice(_ chosen: Int, of boxes: [Rectangle], in image: PixelImage) throws(PortraitError) {
    guard boxes.count > 1 else { return }
    let group = touching(chosen, of: boxes)
    if group.count >= Tuning.touching.most { throw .headsTouch(count: group.count) }
    let sharpness = boxes.map { image.sharpness(of: $0) }
    guard let own = sharpness[chosen], own < FaceTuning.Sharpness.outOfFocus else { return }
    let sharper = sharpness.count { $0 ?? 0 >= max(FaceTuning.Sharpness.outOfFocus, own * Tuning.sharper) }
    if sharper > 0 { throw .sharpBehindBlurred(count: sharper) }
  }

  /// The faces whose heads touch the chosen one's, or those of each other, without those that are far smaller.
  static func touching(_ chosen: Int, of boxes: [Rectangle]) -> Set<Int> {
    let heads = boxes.map { box in
      let (across, down) = (box.width * Tuning.touching.across, box.height * Tuning.touching.above)
      return Rectangle(
        x: box.x - across, y: box.y - down, width: box.width + 2 * across, height: box.height + down)
    }
    let near = boxes.indices.filter { boxes[$0].area >= boxes[chosen].area * Tuning.touching.area }
    var group: Set = [chosen]
    while let next = near.first(where: { face in
      !group.contains(face) && group.contains { heads[$0].intersectionArea(heads[face]) > 0 }
    }) {
      group.insert(next)
    }
    return group
  }

  private static func location(of points: FaceMesh.Points, width: Int, height: Int) -> FaceLocation {
    func normalised(_ point: Point) -> Point {
      Point(x: point.x / Double(width), y: point.y / Double(height))
    }
    let (left, right) = FaceMesh.eyes(of: points)
    return FaceLocation(
      box: Self.normalised(FaceMesh.bounds(points.xy), width, height), viewersLeftEye: normalised(left),
      viewersRightEye: normalised(right), roll: FaceMesh.roll(of: points), yaw: yaw(of: points),
      presence: points.presence)
  }

  private static func normalised(_ box: Rectangle, _ width: Int, _ height: Int) -> Rectangle {
    Rectangle(
      x: box.x / Double(width), y: box.y / Double(height), width: box.width / Double(width),
      height: box.height / Double(height))
  }

  /// The cheek that is nearer to the viewer shows in which direction the head is turned.
  static func yaw(of points: FaceMesh.Points) -> Double {
    let left = points.xy[Landmark.viewersLeftCheek]
    let right = points.xy[Landmark.viewersRightCheek]
    let depth = points.z[Landmark.viewersRightCheek] - points.z[Landmark.viewersLeftCheek]
    return atan2(depth, hypot(right.x - left.x, right.y - left.y)) * 180 / .pi
  }
}

import Glibc

/// Finds the one face a photo is about.
struct FaceLocator {
  /// Another face with at least this part of the largest one's area is as prominent.
  static let equalArea = 0.6

  let detector: FaceDetector
  let mesh: FaceMesh

  init() throws(PortraitError) {
    detector = try FaceDetector()
    mesh = try FaceMesh()
  }

  func locate(in image: PixelImage) throws(PortraitError) -> FaceLocation {
    let sampler = Sampler(image: image)
    var faces: [(detection: FaceDetector.Detection, points: FaceMesh.Points)] = []
    for detection in try detections(in: sampler) {
      let points = try mesh.points(of: detection, in: sampler)
      if points.presence >= 0.5 { faces.append((detection, points)) }
    }
    faces.sort { $0.detection.box.area > $1.detection.box.area }
    guard !faces.isEmpty else { throw .noFace }
    let chosen = try Self.dominant(of: faces.map(\.detection.box), width: image.width, height: image.height)
    let face = faces[chosen]
    var warnings: [PortraitWarning] = []
    if faces.count > 1 {
      warnings.append(
        PortraitWarning(
          kind: .severalFaces,
          message: "The photo shows \(faces.count) people; the most prominent one was taken. "
            + "A photo of one person alone gives a better picture."))
    }
    var location = Self.location(
      of: face.points, width: image.width, height: image.height, otherFaces: faces.count - 1, warnings: warnings)
    location.light = PhotoLight(measuring: image)
    return location
  }

  /// Looks at the whole picture first, then ever closer until a face is found.
  private func detections(in sampler: Sampler) throws(PortraitError) -> [FaceDetector.Detection] {
    for squares in Self.searchSquares(width: sampler.image.width, height: sampler.image.height) {
      var found: [FaceDetector.Detection] = []
      for square in squares { found += try detector.detect(in: sampler, square: square) }
      let faces = FaceDetector.merged(found)
      if !faces.isEmpty { return faces }
    }
    return []
  }

  /// The squares in which to look, level by level: the whole, then squares of the shorter side, then halves of those.
  static func searchSquares(width: Int, height: Int) -> [[CropSquare]] {
    let long = Double(max(width, height))
    let short = Double(min(width, height))
    let whole = CropSquare(centre: Point(x: Double(width) / 2, y: Double(height) / 2), side: long, rotation: 0)
    var levels = [[whole]]
    for side in [short, short / 2, short / 4] where side >= 64 {
      levels.append(tiles(width: Double(width), height: Double(height), side: side))
    }
    return levels
  }

  private static func tiles(width: Double, height: Double, side: Double) -> [CropSquare] {
    func centres(_ length: Double) -> [Double] {
      let count = max(1, Int(((length - side) / (side * 0.6)).rounded(.up)) + 1)
      guard count > 1 else { return [length / 2] }
      return (0..<count).map { side / 2 + (length - side) * Double($0) / Double(count - 1) }
    }
    return centres(height).flatMap { y in
      centres(width).map { x in CropSquare(centre: Point(x: x, y: y), side: side, rotation: 0) }
    }
  }

  /// The index of the face the photo is about: the largest, unless another is about as large and as central.
  static func dominant(of boxes: [Rectangle], width: Int, height: Int) throws(PortraitError) -> Int {
    let centre = Point(x: Double(width) / 2, y: Double(height) / 2)
    let reach = hypot(centre.x, centre.y)
    let prominence = boxes.map { box in
      let distance = hypot(box.centre.x - centre.x, box.centre.y - centre.y) / reach
      return box.area * (1 - 0.5 * distance)
    }
    guard let largest = prominence.max(), let chosen = prominence.firstIndex(of: largest) else { throw .noFace }
    let equals = prominence.count { $0 >= largest * equalArea }
    guard equals == 1 else { throw .severalFaces(count: equals) }
    return chosen
  }

  private static func location(
    of points: FaceMesh.Points, width: Int, height: Int, otherFaces: Int, warnings: [PortraitWarning]
  ) -> FaceLocation {
    func middle(_ first: Int, _ second: Int) -> Point {
      Point(x: (points.xy[first].x + points.xy[second].x) / 2, y: (points.xy[first].y + points.xy[second].y) / 2)
    }
    func normalised(_ point: Point) -> Point {
      Point(x: point.x / Double(width), y: point.y / Double(height))
    }
    let left = middle(Landmark.viewersLeftEyeOuter, Landmark.viewersLeftEyeInner)
    let right = middle(Landmark.viewersRightEyeInner, Landmark.viewersRightEyeOuter)
    let box = FaceMesh.bounds(points.xy)
    let origin = normalised(Point(x: box.x, y: box.y))
    let size = normalised(Point(x: box.width, y: box.height))
    return FaceLocation(
      box: Rectangle(x: origin.x, y: origin.y, width: size.x, height: size.y),
      viewersLeftEye: normalised(left), viewersRightEye: normalised(right),
      roll: atan2(right.y - left.y, right.x - left.x) * 180 / .pi, yaw: yaw(of: points),
      presence: points.presence, otherFaces: otherFaces, warnings: warnings)
  }

  /// The cheek nearer to the viewer tells where the head is turned.
  static func yaw(of points: FaceMesh.Points) -> Double {
    let left = points.xy[Landmark.viewersLeftCheek]
    let right = points.xy[Landmark.viewersRightCheek]
    let depth = points.z[Landmark.viewersRightCheek] - points.z[Landmark.viewersLeftCheek]
    return atan2(depth, hypot(right.x - left.x, right.y - left.y)) * 180 / .pi
  }
}

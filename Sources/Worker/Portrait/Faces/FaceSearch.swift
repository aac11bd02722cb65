/// Searches a photo for faces: from large to small ones; then, unless it is certain of them, in the photo turned by
/// quarters; at last with a lower score.
struct FaceSearch {
  private typealias Tuning = FaceTuning.Search

  /// A face that the detector found and the mesh confirmed, in pixels of the searched picture.
  struct Face {
    var detection: FaceDetector.Detection
    var points: FaceMesh.Points

    var box: Rectangle { detection.box }
    var roll: Double { FaceMesh.roll(of: points) }
  }

  /// The faces of a photo that stands upright after `quarterTurns`, clockwise.
  struct Finding {
    var image: PixelImage
    var quarterTurns: Int
    /// The largest first.
    var faces: [Face]

    /// The detector's score of the largest face, 0 if there is none.
    var score: Double { faces.first?.detection.score ?? 0 }
  }

  let detector: FaceDetector
  let mesh: FaceMesh

  init() throws(PortraitError) {
    detector = try FaceDetector()
    mesh = try FaceMesh()
  }

  /// - Returns: at least one face, or nil.
  func finding(in photo: PixelImage) throws(PortraitError) -> Finding? {
    let levels = Self.levels(width: photo.width, height: photo.height)
    let sampler = Sampler(image: photo)
    var best = Finding(image: photo, quarterTurns: 0, faces: try faces(in: sampler, levels))
    if let lean = best.faces.first?.roll, abs(lean) > Tuning.largestLean {
      best = try turned(photo, quarterTurns: -Int((lean / 90).rounded())) ?? best
      best.faces.removeAll { abs($0.roll) > Tuning.largestLean }
    }
    guard best.score < Tuning.certainScore else { return best }
    for quarterTurns in 1...3 {
      guard let other = try turned(photo, quarterTurns: quarterTurns) else { continue }
      if other.score > best.score + Tuning.turnMargin { best = other }
    }
    if best.faces.isEmpty {
      best.faces = try faces(in: sampler, levels, minimumScore: Tuning.lowScore)
      best.faces.removeAll { $0.points.presence < Tuning.surePresence || abs($0.roll) > Tuning.largestLean }
    }
    return best.faces.isEmpty ? nil : best
  }

  /// The faces of the turned photo, if the largest one is upright then.
  private func turned(_ photo: PixelImage, quarterTurns: Int) throws(PortraitError) -> Finding? {
    let image = photo.turned(quarterTurns: quarterTurns)
    let levels = Self.levels(width: image.width, height: image.height).prefix(Tuning.turnedLevels)
    let faces = try faces(in: Sampler(image: image), Array(levels))
    guard let largest = faces.first, abs(largest.roll) <= 45 else { return nil }
    return Finding(image: image, quarterTurns: quarterTurns & 3, faces: faces)
  }

  /// The faces of the first level that has any, the largest first.
  private func faces(
    in sampler: Sampler, _ levels: [[CropSquare]], minimumScore: Double = FaceTuning.Detector.minimumScore
  ) throws(PortraitError) -> [Face] {
    for squares in levels {
      let faces = try confirmed(squares, in: sampler, minimumScore: minimumScore)
      if !faces.isEmpty { return faces }
    }
    return []
  }

  /// The faces in `squares` that the mesh confirms, the largest first.
  func confirmed(
    _ squares: [CropSquare], in sampler: Sampler, minimumScore: Double
  ) throws(PortraitError) -> [Face] {
    var detections: [FaceDetector.Detection] = []
    for square in squares {
      detections += try detector.detect(in: sampler, square: square, minimumScore: minimumScore)
    }
    var faces: [Face] = []
    for detection in FaceDetector.merged(detections) {
      let points = try mesh.points(of: detection, in: sampler)
      if points.presence >= Tuning.minimumPresence { faces.append(Face(detection: detection, points: points)) }
    }
    return faces.sorted { $0.box.area > $1.box.area }
  }

  /// The squares to search, level by level: the whole picture and the squares of a long picture, which also show
  /// smaller faces beside a large one; then halves and quarters of those.
  static func levels(width: Int, height: Int) -> [[CropSquare]] {
    let (wide, high) = (Double(width), Double(height))
    let short = min(wide, high)
    let whole = CropSquare(centre: Point(x: wide / 2, y: high / 2), side: max(wide, high), rotation: 0)
    var levels = [[whole] + (whole.side > short * Tuning.longPicture ? tiles(width: wide, height: high, side: short) : [])]
    for side in [short / 2, short / 4] where side >= Tuning.smallestSquare {
      levels.append(tiles(width: wide, height: high, side: side))
    }
    return levels
  }

  private static func tiles(width: Double, height: Double, side: Double) -> [CropSquare] {
    func centres(_ length: Double) -> [Double] {
      let count = max(1, Int(((length - side) / (side * Tuning.squareStep)).rounded(.up)) + 1)
      guard count > 1 else { return [length / 2] }
      return (0..<count).map { side / 2 + (length - side) * Double($0) / Double(count - 1) }
    }
    return centres(height).flatMap { y in
      centres(width).map { x in CropSquare(centre: Point(x: x, y: y), side: side, rotation: 0) }
    }
  }
}

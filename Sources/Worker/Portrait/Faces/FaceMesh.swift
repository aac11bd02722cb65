import Glibc
import TFLite

/// Finds 468 points of a face with MediaPipe's landmark network.
///
/// Source of the regions: mediapipe/modules/face_landmark (region 1.5 times the face, levelled by the eyes).
struct FaceMesh {
  private typealias Tuning = FaceTuning.Mesh

  /// A face's points, in pixels of the picture; `z` grows away from the viewer, on the scale of x.
  struct Points {
    var xy: [Point]
    var z: [Double]
    /// The confidence that the points are those of a face, 0…1.
    var presence: Double
  }

  static let inputSize = 192

  private let interpreter: Interpreter

  init() throws(PortraitError) {
    interpreter = try EmbeddedModel.faceLandmark.load()
    guard interpreter.outputShapes == [[1, 1, 1, 1404], [1, 1, 1, 1]] else {
      throw .modelsUnusable("The face landmark network has other outputs than expected.")
    }
  }

  /// The points of the face found by the detector. The first run uses the detector's region, the second the region of
  /// the first run's points.
  func points(of detection: FaceDetector.Detection, in sampler: Sampler) throws(PortraitError) -> Points {
    let first = try points(
      in: Self.region(
        detection.box, leftEye: detection.viewersLeftEye, rightEye: detection.viewersRightEye), of: sampler)
    guard first.presence > Tuning.secondRun else { return first }
    return try points(
      in: Self.region(
        Self.bounds(first.xy), leftEye: first.xy[Landmark.viewersLeftEyeOuter],
        rightEye: first.xy[Landmark.viewersRightEyeOuter]),
      of: sampler)
  }

  private func points(in square: CropSquare, of sampler: Sampler) throws(PortraitError) -> Points {
    let outputs = try interpreter.outputs(
      for: sampler.square(square, size: Self.inputSize, outside: .black))
    let size = Double(Self.inputSize)
    let numbers = outputs[0].map(Double.init)
    let indexes = 0..<numbers.count / 3
    return Points(
      xy: indexes.map { square.point(numbers[$0 * 3] / size, numbers[$0 * 3 + 1] / size) },
      z: indexes.map { numbers[$0 * 3 + 2] / size * square.side },
      presence: 1 / (1 + exp(-Double(outputs[1][0]))))
  }

  private static func region(_ box: Rectangle, leftEye: Point, rightEye: Point) -> CropSquare {
    let roll = atan2(rightEye.y - leftEye.y, rightEye.x - leftEye.x) * 180 / .pi
    return CropSquare(centre: box.centre, side: max(box.width, box.height) * Tuning.region, rotation: roll)
  }

  /// The centres of both eyes, for the viewer.
  static func eyes(of points: Points) -> (left: Point, right: Point) {
    func middle(_ first: Int, _ second: Int) -> Point {
      Point(x: (points.xy[first].x + points.xy[second].x) / 2, y: (points.xy[first].y + points.xy[second].y) / 2)
    }
    return (
      middle(Landmark.viewersLeftEyeOuter, Landmark.viewersLeftEyeInner),
      middle(Landmark.viewersRightEyeInner, Landmark.viewersRightEyeOuter)
    )
  }

  /// The roll of the head in degrees, −180…180; positive is clockwise for the viewer.
  static func roll(of points: Points) -> Double {
    let (left, right) = eyes(of: points)
    return atan2(right.y - left.y, right.x - left.x) * 180 / .pi
  }

  static func bounds(_ points: [Point]) -> Rectangle {
    let xs = points.map(\.x)
    let ys = points.map(\.y)
    let (left, right) = (xs.min() ?? 0, xs.max() ?? 0)
    let (top, bottom) = (ys.min() ?? 0, ys.max() ?? 0)
    return Rectangle(x: left, y: top, width: right - left, height: bottom - top)
  }
}

/// The points of the mesh that are used by name. Source: mediapipe/modules/face_geometry/data/canonical_face_model.
enum Landmark {
  static let viewersLeftEyeOuter = 33
  static let viewersLeftEyeInner = 133
  static let viewersRightEyeInner = 362
  static let viewersRightEyeOuter = 263
  static let viewersLeftCheek = 234
  static let viewersRightCheek = 454
  static let forehead = 10
  static let chin = 152
}

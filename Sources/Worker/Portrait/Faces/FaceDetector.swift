import Glibc
import TFLite

/// Finds faces with MediaPipe's short-range detector.
///
/// Source of anchors and decoding: mediapipe/modules/face_detection/face_detection_short_range.pbtxt
struct FaceDetector {
  private typealias Tuning = FaceTuning.Detector

  /// A face found by the detector, in pixels of the picture.
  struct Detection {
    var box: Rectangle
    var viewersLeftEye: Point
    var viewersRightEye: Point
    /// 0…1.
    var score: Double
  }

  static let inputSize = 128

  private let interpreter: Interpreter
  private let anchors = Self.makeAnchors()

  init() throws(PortraitError) {
    interpreter = try EmbeddedModel.faceDetection.load()
    guard interpreter.outputShapes == [[1, 896, 16], [1, 896, 1]] else {
      throw .modelsUnusable("The face detector has other outputs than expected.")
    }
  }

  /// All faces in a square of the picture, best first.
  func detect(
    in sampler: Sampler, square: CropSquare, minimumScore: Double
  ) throws(PortraitError) -> [Detection] {
    let input = sampler.square(square, size: Self.inputSize, outside: .black, scale: 2, offset: -1)
    let outputs = try interpreter.outputs(for: input)
    var detections: [Detection] = []
    for (index, logit) in outputs[1].enumerated() {
      let score = 1 / (1 + exp(-Double(max(-50, min(50, logit)))))
      if score >= minimumScore { detections.append(decode(outputs[0], index, score, square)) }
    }
    return Self.merged(detections)
  }

  private func decode(_ numbers: [Float], _ index: Int, _ score: Double, _ square: CropSquare) -> Detection {
    let anchor = anchors[index]
    func point(_ at: Int) -> Point {
      let first = index * 16 + at
      let size = Double(Self.inputSize)
      return square.point(anchor.x + Double(numbers[first]) / size, anchor.y + Double(numbers[first + 1]) / size)
    }
    let centre = point(0)
    let width = Double(numbers[index * 16 + 2]) / Double(Self.inputSize) * square.side
    let height = Double(numbers[index * 16 + 3]) / Double(Self.inputSize) * square.side
    return Detection(
      box: Rectangle(x: centre.x - width / 2, y: centre.y - height / 2, width: width, height: height),
      viewersLeftEye: point(4), viewersRightEye: point(6), score: score)
  }

  /// Joins detections of the same face into their mean, weighted by score (MediaPipe's weighted suppression).
  static func merged(_ detections: [Detection]) -> [Detection] {
    var remaining = detections.sorted { $0.score > $1.score }
    var result: [Detection] = []
    while let best = remaining.first {
      let same = remaining.filter { best.box.intersectionOverUnion($0.box) > Tuning.sameFace }
      remaining.removeAll { best.box.intersectionOverUnion($0.box) > Tuning.sameFace }
      // A box without area meets nobody, not even itself.
      guard !same.isEmpty else {
        remaining.removeFirst()
        continue
      }
      result.append(mean(same, score: best.score))
    }
    return result
  }

  private static func mean(_ same: [Detection], score: Double) -> Detection {
    let total = same.reduce(0) { $0 + $1.score }
    func average(_ value: (Detection) -> Double) -> Double {
      same.reduce(0) { $0 + value($1) * $1.score } / total
    }
    return Detection(
      box: Rectangle(
        x: average(\.box.x), y: average(\.box.y), width: average(\.box.width), height: average(\.box.height)),
      viewersLeftEye: Point(x: average(\.viewersLeftEye.x), y: average(\.viewersLeftEye.y)),
      viewersRightEye: Point(x: average(\.viewersRightEye.x), y: average(\.viewersRightEye.y)), score: score)
  }

  /// Two anchors at each of 16 × 16 positions, six at each of 8 × 8.
  private static func makeAnchors() -> [Point] {
    var anchors: [Point] = []
    for (side, count) in [(16, 2), (8, 6)] {
      for row in 0..<side {
        for column in 0..<side {
          let anchor = Point(x: (Double(column) + 0.5) / Double(side), y: (Double(row) + 0.5) / Double(side))
          anchors.append(contentsOf: repeatElement(anchor, count: count))
        }
      }
    }
    return anchors
  }
}

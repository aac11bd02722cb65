import Glibc
import Support
import Testing

@testable import Portrait

@Suite("Where the headshot lies on the photo")
struct CropPlannerTests {
  /// A face of `width` × `height` pixels with its middle at a point of the photo.
  static func face(
    x: Double, y: Double, width: Double, height: Double, roll: Double = 0, photo: (width: Int, height: Int)
  ) -> FaceLocation {
    let (w, h) = (Double(photo.width), Double(photo.height))
    let eyes = y - height * 0.18
    let lean = roll * .pi / 180
    return FaceLocation(
      box: Rectangle(x: (x - width / 2) / w, y: (y - height / 2) / h, width: width / w, height: height / h),
      viewersLeftEye: Point(x: (x - width * 0.2 * cos(lean)) / w, y: (eyes - width * 0.2 * sin(lean)) / h),
      viewersRightEye: Point(x: (x + width * 0.2 * cos(lean)) / w, y: (eyes + width * 0.2 * sin(lean)) / h),
      roll: roll, yaw: 0, presence: 1)
  }

  @Test("The face takes its part of the square and the eyes are at their height")
  func proportions() throws {
    let photo = (width: 3000, height: 4000)
    let face = Self.face(x: 1500, y: 1500, width: 600, height: 800, photo: photo)
    let plan = try CropPlanner.plan(for: face, photoWidth: photo.width, photoHeight: photo.height)
    #expect(abs(plan.square.side * plan.scale - 1024) < 1e-6)
    #expect(abs(plan.scale - 1024 / (800 / CropTuning.Planner.faceHeight)) < 1e-9)
    let position = plan.square.position(of: Point(x: 1500, y: 1500 - 144))
    #expect(abs(position.x - 0.5) < 0.002 && abs(position.y - CropTuning.Planner.eyeHeight) < 0.002)
    #expect(plan.warnings.isEmpty)
  }

  @Test(
    "A closed eye is told of where both eyes are seen",
    arguments: [
      (0.06, 0, true), (0.06, 20, true), (0.15, 40, true), (0.06, -50, false), (0.18, 0, false), (0.2, 0, false),
    ] as [(Double, Double, Bool)])
  func eyes(opening: Double, yaw: Double, expected: Bool) throws {
    var face = Self.face(x: 1500, y: 1500, width: 600, height: 800, photo: (3000, 4000))
    face.yaw = yaw
    face.measures = FaceMeasures(chin: Point(x: 0.5, y: 0.475), pitch: 0, mouthOpening: 0, eyeOpening: opening)
    let plan = try CropPlanner.plan(for: face, photoWidth: 3000, photoHeight: 4000)
    #expect(plan.warnings.map(\.kind) == (expected ? [.eyesClosed] : []))
  }

  @Test(
    "The region ends at the photo's edges",
    arguments: [
      (60.0, 80.0, PixelRectangle(x: 0, y: 0, width: 284, height: 312)),
      (940.0, 720.0, PixelRectangle(x: 716, y: 503, width: 284, height: 297)),
      (500.0, 400.0, PixelRectangle(x: 276, y: 183, width: 448, height: 449)),
    ])
  func edges(x: Double, y: Double, expected: PixelRectangle) throws {
    let face = Self.face(x: x, y: y, width: 90, height: 120, photo: (1000, 800))
    let plan = try CropPlanner.plan(for: face, photoWidth: 1000, photoHeight: 800)
    #expect(plan.scale == 1)
    let found = plan.region
    for (left, right) in [
      (found.x, expected.x), (found.y, expected.y), (found.width, expected.width), (found.height, expected.height),
    ] { #expect(abs(left - right) <= 2, "\(found)") }
  }

  @Test("The region lies inside and stays small, whatever the face and the photo", arguments: 0..<400 as Range<UInt64>)
  func anywhere(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let photo = (width: Int.random(in: 60...9000, using: &random), height: Int.random(in: 60...9000, using: &random))
    let width = Double.random(in: 40...Double(min(photo.width, photo.height)).nextUp, using: &random)
    let face = Self.face(
      x: .random(in: 0...Double(photo.width), using: &random), y: .random(in: 0...Double(photo.height), using: &random),
      width: width, height: width * .random(in: 1...1.5, using: &random), roll: .random(in: -60...60, using: &random),
      photo: photo)
    // Turned far, a narrow box can hold a face too small for use.
    guard let plan = try? CropPlanner.plan(for: face, photoWidth: photo.width, photoHeight: photo.height) else {
      return
    }
    let region = plan.region
    #expect(region.x >= 0 && region.y >= 0 && region.width > 0 && region.height > 0, "seed \(seed)")
    #expect(region.x + region.width <= photo.width && region.y + region.height <= photo.height, "seed \(seed)")
    #expect(plan.scale <= 1 && plan.square.side * plan.scale <= 1024.001, "seed \(seed)")
    let longest = Double(max(region.width, region.height))
    #expect(longest * plan.scale <= 1940, "seed \(seed)")
    #expect(abs(plan.square.rotation) <= CropTuning.Planner.maximumRotation, "seed \(seed)")
  }

  @Test(
    "Few pixels are warned of, far too few refused",
    arguments: [(250.0, 0), (150.0, 1), (80.0, 2), (39.0, 3)])
  func resolution(width: Double, severity: Int) throws {
    let face = Self.face(x: 500, y: 500, width: width, height: width * 1.3, photo: (1000, 1000))
    if severity == 3 {
      #expect(throws: PortraitError.faceTooSmall(pixels: 39)) {
        try CropPlanner.plan(for: face, photoWidth: 1000, photoHeight: 1000)
      }
      return
    }
    let warnings = try CropPlanner.plan(for: face, photoWidth: 1000, photoHeight: 1000).warnings
    #expect(warnings.map(\.kind) == (severity == 0 ? [] : [.lowResolution]))
    #expect(warnings.allSatisfy { $0.message.text.contains("clearly blurred") == (severity == 2) })
  }

  @Test("A photo without pixels is refused")
  func empty() {
    let face = Self.face(x: 50, y: 50, width: 50, height: 60, photo: (100, 100))
    #expect(throws: PortraitError.malformedImage) { try CropPlanner.plan(for: face, photoWidth: 0, photoHeight: 10) }
  }

  @Test("A face that can be none is refused", arguments: [Double.nan, .infinity, -1e300, 40])
  func implausible(number: Double) {
    var face = Self.face(x: 50, y: 50, width: 50, height: 60, photo: (100, 100))
    face.box.width = number
    #expect(throws: PortraitError.noFace) { try CropPlanner.plan(for: face, photoWidth: 100, photoHeight: 100) }
  }

  @Test("A point of a turned square and its position are each other's inverse", arguments: 0..<50 as Range<UInt64>)
  func inverse(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    let square = CropSquare(
      centre: Point(x: number(-500...500), y: number(-500...500)), side: number(1...900), rotation: number(-180...180))
    let (u, v) = (number(-1...2), number(-1...2))
    let position = square.position(of: square.point(u, v))
    #expect(abs(position.x - u) < 1e-9 && abs(position.y - v) < 1e-9, "seed \(seed)")
    let corner = square.point(0, 1)
    let bounds = square.bounds
    #expect(corner.x >= bounds.x - 1e-6 && corner.y <= bounds.y + bounds.height + 1e-6, "seed \(seed)")
  }

  @Test(
    "A head is levelled only beyond eight degrees, and by at most ten",
    arguments: [(0.0, 0.0), (8, 0), (-7.9, 0), (8.5, 8.5), (-9, -9), (10, 10), (25, 10), (-60, -10)])
  func levelling(roll: Double, rotation: Double) throws {
    let location = Self.face(x: 500, y: 500, width: 200, height: 280, roll: roll, photo: (1000, 1000))
    let plan = try CropPlanner.plan(for: location, photoWidth: 1000, photoHeight: 1000)
    #expect(plan.square.rotation == rotation)
  }

  @Test("A leaning face keeps its size, to whichever side it leans", arguments: [-28.0, -20, -9, 0, 9, 20, 28])
  func lean(roll: Double) {
    // The upright box of an ellipse 100 × 140 that leans so far.
    let lean = roll * Double.pi / 180
    let width = 2 * hypot(50 * cos(lean), 70 * sin(lean))
    let height = 2 * hypot(50 * sin(lean), 70 * cos(lean))
    let location = Self.face(x: 500, y: 500, width: width, height: height, roll: roll, photo: (1000, 1000))
    let face = CropPlanner.Face(location, photoWidth: 1000, photoHeight: 1000)
    #expect(abs(face.width - 100) < 1e-6 && abs(face.height - 140) < 1e-6)
  }
}

import Support
import Testing

@testable import Portrait

@Suite("Fitting the square to where the photo ends")
struct CropFitterTests {
  static let size = 130
  /// 100 places are a side of the ideal square, from 15 to 115.
  static let field = 1.3
  /// From forehead to chin; the eyes are at 56.
  static let face = Rectangle(x: 49, y: 44, width: 32, height: 38)

  /// A bust: a round head, shoulders below.
  /// - Parameter hair: how far hair reaches to the viewer's right of the face's middle, and up from the eyes.
  static func person(shoulders: Int = 34, hair: (right: Int, up: Int) = (0, 0)) -> Plane<Float> {
    var plane = Plane<Float>(width: size, height: size, repeating: 0)
    for y in 0..<size {
      for x in 0..<size {
        let (dx, dy) = (Double(x) - 65, Double(y) - 56)
        let isHead = dx * dx / 400 + dy * dy / 676 < 1
        let isHair = (65..<65 + hair.right).contains(x) && (40..<70).contains(y)
          || abs(x - 65) < 18 && (56 - hair.up..<56).contains(y)
        let isBody = y > 88 && abs(x - 65) < shoulders + (y - 88)
        plane[x, y] = isHead || isHair || isBody ? 1 : 0
      }
    }
    return plane
  }

  static func valid(left: Int = 0, right: Int = size, top: Int = 0, bottom: Int = size) -> [Bool] {
    (0..<size * size).map { index in
      let (x, y) = (index % size, index / size)
      return x >= left && x < right && y >= top && y < bottom
    }
  }

  static func adjustment(
    _ person: Plane<Float> = person(), _ valid: [Bool] = valid(), yaw: Double = 0
  ) -> CropFitter.Adjustment {
    CropFitter(person: person, valid: valid, face: face, yaw: yaw, field: field).adjustment()
  }

  /// The square in places of the field.
  static func square(_ adjustment: CropFitter.Adjustment) -> Rectangle {
    let side = adjustment.size * 100
    return Rectangle(
      x: 65 + adjustment.right * 100 - side / 2, y: 65 + adjustment.down * 100 - side / 2, width: side, height: side)
  }

  /// How far down the square the eyes are.
  static func eyes(_ adjustment: CropFitter.Adjustment) -> Double {
    0.5 + (CropTuning.Planner.eyeHeight - 0.5 - adjustment.down) / adjustment.size
  }

  @Test("A photo with room on all sides keeps the ideal square")
  func room() {
    #expect(Self.adjustment() == CropFitter.Adjustment())
  }

  @Test("A photo that ends beside or above nobody keeps it too: the backdrop goes on")
  func emptyEdges() {
    #expect(Self.adjustment(Self.person(shoulders: 10), Self.valid(top: 22)) == CropFitter.Adjustment())
  }

  @Test("A face that fills the photo is shown whole, whatever the photo cuts around it",
    arguments: [(46, 84, 42, 86), (54, 90, 54, 81), (40, 78, 54, 81), (54, 86, 54, 84)])
  func wholeFace(left: Int, right: Int, top: Int, bottom: Int) {
    let everything = Plane<Float>(width: Self.size, height: Self.size, repeating: 1)
    let valid = Self.valid(left: left, right: right, top: top, bottom: bottom)
    let square = Self.square(Self.adjustment(everything, valid))
    // A tenth of the face may lie beyond the edges of the square.
    let across = min(square.x + square.width, Double(min(right, 81))) - max(square.x, Double(max(left, 49)))
    let down = min(square.y + square.height, Double(min(bottom, 82))) - max(square.y, Double(max(top, 44)))
    let shown = Double(min(right, 81) - max(left, 49)) * Double(min(bottom, 82) - max(top, 44))
    #expect(across > 0 && down > 0 && across * down > 0.9 * shown)
  }

  @Test("A photo that ends at the chest moves the square up or shrinks it", arguments: [112, 108, 104, 100])
  func bottom(end: Int) {
    let adjustment = Self.adjustment(Self.person(), Self.valid(bottom: end))
    let square = Self.square(adjustment)
    #expect(square.y + square.height <= Double(end))
    #expect(adjustment != CropFitter.Adjustment())
  }

  @Test("A tighter square is taken where the photo ends at the chest, rather than one with the face far down",
    arguments: [112, 108, 106])
  func tighterRatherThanLower(end: Int) {
    let adjustment = Self.adjustment(Self.person(), Self.valid(bottom: end))
    #expect(adjustment.size < 1)
    #expect(Self.eyes(adjustment) < 0.46)
  }

  @Test("A shoulder that the photo cuts reaches the square's edge while that is not too tight",
    arguments: [(16, 0.9), (20, 0.85), (24, 0.75), (26, 0.7)])
  func shoulder(end: Int, least: Double) {
    let adjustment = Self.adjustment(Self.person(shoulders: 44), Self.valid(left: end))
    let square = Self.square(adjustment)
    #expect(square.x >= Double(end) || square.y + square.height <= Double(88 + 65 - end - 44))
    #expect(adjustment.size >= least)
  }

  @Test("A shoulder ends inside the square before the face fills it", arguments: [38, 40, 42])
  func shoulderInside(end: Int) {
    let adjustment = Self.adjustment(Self.person(shoulders: 44), Self.valid(left: end))
    #expect(adjustment.size >= 0.6)
    #expect(abs(adjustment.right) < 0.06)
  }

  @Test("Face and chin keep their margins", arguments: 0..<40 as Range<UInt64>)
  func margins(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let valid = Self.valid(
      left: .random(in: 0...30, using: &random), right: .random(in: 100...Self.size, using: &random),
      top: .random(in: 0...32, using: &random), bottom: .random(in: 98...Self.size, using: &random))
    let square = Self.square(Self.adjustment(Self.person(shoulders: .random(in: 12...45, using: &random)), valid))
    let face = Self.face
    // A place of rounding is allowed.
    let (across, down) = (face.width * CropTuning.Fitter.faceMargin - 1, face.height * CropTuning.Fitter.faceMargin - 1)
    #expect(square.x <= face.x - across && square.x + square.width >= face.x + face.width + across, "seed \(seed)")
    #expect(square.y <= face.y - down, "seed \(seed)")
    let below = max(down, square.height * CropTuning.Fitter.chinMargin - 1)
    #expect(square.y + square.height >= face.y + face.height + below, "seed \(seed)")
  }

  @Test("The square keeps to its limits and never shows a cut chest or head", arguments: 0..<40 as Range<UInt64>)
  func anywhere(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let valid = Self.valid(
      left: .random(in: 0...35, using: &random), right: .random(in: 95...Self.size, using: &random),
      top: .random(in: 0...32, using: &random), bottom: .random(in: 96...Self.size, using: &random))
    let person = Self.person(shoulders: .random(in: 12...45, using: &random))
    let adjustment = Self.adjustment(person, valid)
    #expect(adjustment.size >= CropTuning.Fitter.smallestSize && adjustment.size <= 1, "seed \(seed)")
    #expect(CropTuning.Fitter.eyeRange.contains(Self.eyes(adjustment)), "seed \(seed)")
    // Half the ideal square around the eyes always lies inside these photos, so there is always a way.
    #expect(Self.cut(person, valid, in: Self.square(adjustment)) <= 1, "seed \(seed)")
  }

  @Test("A photo that shows little more than a face fills the picture, rather than ending inside it",
    arguments: [(43, 88, 42, 86), (46, 86, 43, 84), (40, 90, 40, 85)])
  func onlyFace(left: Int, right: Int, top: Int, bottom: Int) {
    let person = Self.person(shoulders: 44)
    let valid = Self.valid(left: left, right: right, top: top, bottom: bottom)
    let adjustment = Self.adjustment(person, valid)
    #expect(adjustment.size < 0.5 && adjustment.size >= CropTuning.Fitter.smallestSize)
    #expect(Self.cut(person, valid, in: Self.square(adjustment)) <= 1)
    let square = Self.square(adjustment)
    #expect(square.x <= Self.face.x + 1 && square.x + square.width >= Self.face.x + Self.face.width - 1)
  }

  @Test("Hair at a side of the head stays inside where the chest has to be cut off", arguments: [96, 100, 104])
  func hairAtTheSide(end: Int) {
    let person = Self.person(hair: (right: 36, up: 0))
    let square = Self.square(Self.adjustment(person, Self.valid(bottom: end)))
    #expect(square.x + square.width >= 65 + 34)
  }

  @Test("High hair stays inside where the chest has to be cut off", arguments: [100, 104, 108])
  func highHair(end: Int) {
    let person = Self.person(hair: (right: 0, up: 36))
    let square = Self.square(Self.adjustment(person, Self.valid(bottom: end)))
    #expect(square.y <= 56 - 34)
  }

  @Test("Hair that reaches above the field, or nearly, brings the eyes down, but never too far",
    arguments: [(44, 0.43...0.50), (50, 0.49...0.56), (56, 0.53...0.60), (80, 0.53...0.60)])
  func veryHighHair(up: Int, eyes: ClosedRange<Double>) {
    let adjustment = Self.adjustment(Self.person(hair: (0, up)))
    #expect(eyes.contains(Self.eyes(adjustment)), "The eyes are at \(Self.eyes(adjustment)).")
    #expect(adjustment.size > 0.9)
  }

  @Test("The crown keeps room above it where the photo has it, though the chest has to be cut off",
    arguments: [98, 100, 102, 104, 106])
  func crown(end: Int) {
    let square = Self.square(Self.adjustment(Self.person(hair: (0, 32)), Self.valid(top: 10, bottom: end)))
    #expect(square.y <= 24 - square.height * CropTuning.Fitter.crownMargin + 1)
  }

  @Test("A crown that the photo cuts touches the upper edge", arguments: [26, 28, 32])
  func cutCrown(top: Int) {
    let square = Self.square(Self.adjustment(Self.person(hair: (0, 32)), Self.valid(top: top)))
    #expect(square.y >= Double(top))
  }

  @Test("A turned head is centred between face and hair, one from the front at the eyes",
    arguments: [(0, 0), (10, 0), (18, 0.02), (-18, 0.02), (30, 0.04), (-30, 0.04)])
  func turnedHead(yaw: Double, right: Double) {
    let adjustment = Self.adjustment(Self.person(hair: (right: 36, up: 0)), yaw: yaw)
    #expect(abs(adjustment.right - right) < 0.001)
    #expect(adjustment.size == 1 && adjustment.down == 0)
  }

  /// Places inside the square that the photo lacks above, below or beside the head, or below the chest.
  private static func cut(_ person: Plane<Float>, _ valid: [Bool], in square: Rectangle) -> Int {
    func places(_ first: Double, _ length: Double) -> Range<Int> {
      max(1, Int(first.rounded(.up)))..<min(size - 1, Int((first + length).rounded(.down)))
    }
    var count = 0
    for y in places(square.y, square.height) {
      for x in places(square.x, square.width) where !valid[y * size + x] {
        let beside = y < 82 ? [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] : [(x, y - 1), (x, y + 1)]
        if beside.contains(where: { valid[$0.1 * size + $0.0] && person[$0.0, $0.1] > 0.5 }) { count += 1 }
      }
    }
    return count
  }
}

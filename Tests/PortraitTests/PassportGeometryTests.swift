import Glibc
import Testing

@testable import Portrait

@Suite("Photos for passports")
struct PassportGeometryTests {
  /// Where a point of the photo is in the picture, 0…1 from the top.
  private static func row(_ point: Point, in square: CropSquare) -> Double { square.position(of: point).y }

  static let countries: [PassportGeometry] = [.icao, .twoInches, .canada, .china]

  @Test(
    "Any rule gives a head of the allowed height, with room above and below, and known rules stay as they are",
    arguments: [
      (26.0 / 45...30.0 / 45, nil), (0.3...0.4, nil), (0.8...0.9, nil), (0.66...0.66, nil),
      (25.0 / 45...35.0 / 45, 29.0 / 45...35.0 / 45), (0.5...0.6, 0.55...0.65),
    ] as [(ClosedRange<Double>, ClosedRange<Double>?)])
  func anyRule(head: ClosedRange<Double>, eyes: ClosedRange<Double>?) {
    let rule = PassportGeometry(head: head, eyes: eyes)
    for height in [rule.usualHead, rule.smallestHead] {
      #expect(head.contains(height))
      #expect(rule.chin > 0 && rule.chin + height < 1)
      #expect(rule.eyeHeights.contains(1 - rule.eyesFromTop(head: height)), "\(rule)")
    }
    #expect(PassportGeometry(head: 0.7...0.8, eyes: 0.5...0.7) == .icao)
    #expect(PassportGeometry(head: 0.498...0.685, eyes: 0.56...0.685) == .twoInches)
    #expect(PassportGeometry(head: 31.0 / 70...36.0 / 70, eyes: nil) == .canada)
  }

  @Test(
    "Head and eyes have their prescribed heights, whatever the size, the place and the lean of the face",
    arguments: countries, [
      (Point(x: 500, y: 400), 120.0, 0.0), (Point(x: 90, y: 2000), 37, 4), (Point(x: 1500, y: 800), 400, -9),
      (Point(x: 300, y: 300), 80, 14),
    ])
  func heights(rule: PassportGeometry, place: (eyes: Point, eyesToChin: Double, roll: Double)) {
    let (eyes, eyesToChin, roll) = place
    let lean = roll * .pi / 180
    func along(_ length: Double) -> Point { Point(x: eyes.x - sin(lean) * length, y: eyes.y + cos(lean) * length) }
    for head in [rule.usualHead, rule.smallestHead] {
      let square = rule.square(eyes: eyes, chin: along(eyesToChin), roll: roll, head: head)
      // Heads that lean further than can be levelled keep the rest.
      let isLevel = abs(roll) <= CropTuning.Planner.maximumRotation
      #expect(abs(square.rotation) <= CropTuning.Planner.maximumRotation && (!isLevel || square.rotation == roll))
      let chin = Self.row(along(eyesToChin), in: square)
      let crown = Self.row(along(eyesToChin * (1 - 1 / CropTuning.Passport.eyesInHead)), in: square)
      #expect(rule.headHeights.contains(chin - crown), "\(chin - crown)")
      let position = square.position(of: eyes)
      #expect(rule.eyeHeights.contains(1 - position.y), "\(1 - position.y)")
      #expect(abs(position.x - 0.5) < 1e-9)
      #expect(crown > 0.05 && chin < 0.95)
    }
  }

  @Test(
    "Hair up to the picture's edge leaves the head as it is, higher hair makes it smaller, and hair beyond is told",
    arguments: countries, [(0.10, true, false), (0.02, true, false), (0.01, true, true), (-0.30, false, true)])
  func hair(rule: PassportGeometry, hair: (top: Double, isWhole: Bool, changes: Bool)) {
    let (top, isWhole, changes) = hair
    let (change, fits) = rule.adjustment(hairTop: top)
    #expect(fits == isWhole)
    #expect((change != CropFitter.Adjustment()) == changes)
    // The head is as high as before, in a picture that is larger by this factor.
    let head = rule.usualHead / change.size
    #expect(rule.headHeights.contains(head))
    let eyes = 0.5 + (rule.eyesFromTop(head: rule.usualHead) - 0.5 - change.down) / change.size
    #expect(abs(eyes - rule.eyesFromTop(head: head)) < 1e-9)
    #expect(rule.eyeHeights.contains(1 - eyes))
  }

  @Test("The end of the hair is found above the face, and stray pixels beside it are no hair")
  func hairTop() {
    var person = Plane<Float>(width: 100, height: 100, repeating: 0)
    for y in 20..<100 { for x in 38..<62 { person[x, y] = 1 } }
    for y in 0..<20 { person[5, y] = 1 }
    person[50, 10] = 1
    let face = Rectangle(x: 38, y: 40, width: 24, height: 30)
    #expect(PassportGeometry.hairTop(of: person, face: face) == 20)
    #expect(PassportGeometry.hairTop(of: Plane(width: 100, height: 100, repeating: 0), face: face) == 40)
    #expect(PassportGeometry.hairTop(of: Plane(width: 100, height: 100, repeating: 1), face: face) == 0)
    let outside = Rectangle(x: -300, y: -200, width: 24, height: 30)
    #expect(PassportGeometry.hairTop(of: person, face: outside) == 0)
  }

  @Test("The photo's end inside the picture is found where it cuts the person, and only there")
  func cut() {
    var person = Plane<Float>(width: 100, height: 100, repeating: 0)
    for y in 40..<100 { for x in 30..<70 { person[x, y] = 1 } }
    func valid(_ isValid: (Int, Int) -> Bool) -> [Bool] { (0..<10_000).map { isValid($0 % 100, $0 / 100) } }
    let picture = Rectangle(x: 20, y: 10, width: 60, height: 80)
    #expect(PassportGeometry.cut(of: person, valid: valid { _, _ in true }, in: picture) == 0)
    #expect(PassportGeometry.cut(of: person, valid: valid { _, y in y < 80 }, in: picture) == 40.0 / 60.0)
    #expect(PassportGeometry.cut(of: person, valid: valid { _, y in y < 95 }, in: picture) == 0)
    #expect(PassportGeometry.cut(of: person, valid: valid { x, _ in x > 22 }, in: picture) == 0)
    #expect(PassportGeometry.cut(of: person, valid: valid { x, _ in x < 50 }, in: picture) > 0.5)
  }

  private static let neutral = FaceMeasures(
    chin: Point(x: 0.5, y: 0.6), pitch: 0, mouthOpening: 0.01, eyeOpening: 0.3)

  private static func kinds(
    roll: Double = 0, yaw: Double = 0, isHairWhole: Bool = true, isBodyWhole: Bool = true,
    _ change: (inout FaceMeasures) -> Void = { _ in }
  ) -> [String] {
    var measures = neutral
    change(&measures)
    let warnings = PassportRules.warnings(
      roll: roll, yaw: yaw, measures: measures, isHairWhole: isHairWhole, isBodyWhole: isBodyWhole)
    #expect(warnings.allSatisfy { $0.kind == .passportRule && $0.message.text.hasSuffix(".") })
    return warnings.map(\.message.text)
  }

  @Test("Each broken rule has a warning of its own, and a photo that keeps them has none")
  func rules() {
    #expect(Self.kinds().isEmpty)
    #expect(Self.kinds(roll: -5, yaw: 8).isEmpty)
    #expect(Self.kinds(roll: 5, yaw: -8).isEmpty)
    for side in [1.0, -1] {
      #expect(Self.kinds(roll: 9 * side).first?.contains("leans by 9°") == true)
      #expect(Self.kinds(yaw: 14 * side).first?.contains("turned by 14°") == true)
    }
    #expect(Self.kinds { $0.pitch = 25 }.first?.contains("raised") == true)
    #expect(Self.kinds { $0.pitch = -25 }.first?.contains("lowered") == true)
    #expect(Self.kinds { $0.mouthOpening = 0.2 }.first?.contains("mouth is open") == true)
    for opening in [0.05, 0.14, 0.19] {
      #expect(Self.kinds { $0.eyeOpening = opening }.first?.contains("eye is closed") == true)
    }
    #expect(Self.kinds(isHairWhole: false).first?.contains("hair") == true)
    #expect(Self.kinds(isBodyWhole: false).first?.contains("does not fill the picture") == true)
    #expect(Self.kinds(roll: 20, yaw: 30, isHairWhole: false) { $0.mouthOpening = 1 }.count == 4)
  }
}

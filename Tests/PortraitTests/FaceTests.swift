import Support
import Testing

@testable import Portrait

@Suite("Finding the face")
struct FaceTests {
  @Test(
    "The face is found where it is",
    arguments: [
      ("astronaut", Rectangle(x: 0.36, y: 0.14, width: 0.16, height: 0.20), 3.0),
      ("grace_hopper", Rectangle(x: 0.34, y: 0.23, width: 0.35, height: 0.32), -2.0),
    ])
  func portraits(name: String, box: Rectangle, roll: Double) throws {
    let face = try FaceLocator().locate(in: Fixtures.portrait(name))
    #expect(face.box.intersectionOverUnion(box) > 0.7)
    #expect(abs(face.roll - roll) < 3 && abs(face.yaw) < 12 && abs(face.turn) < 0.14)
    #expect(face.presence > 0.9 && face.otherFaces == 0 && face.warnings.isEmpty)
    #expect(face.viewersLeftEye.x < face.viewersRightEye.x)
    #expect(face.box.y < face.viewersLeftEye.y && face.viewersLeftEye.y < face.box.centre.y)
  }

  @Test("A leaning head is measured", arguments: [-18.0, 12.0, 25.0])
  func lean(degrees: Double) throws {
    let photo = try Fixtures.portrait("astronaut")
    let locator = try FaceLocator()
    let upright = try locator.locate(in: photo)
    let leaning = try locator.locate(in: photo.rotated(degrees: degrees))
    #expect(abs(leaning.roll - upright.roll - degrees) < 3)
  }

  @Test("A face in the mirror looks the other way")
  func mirror() throws {
    let photo = try Fixtures.portrait("grace_hopper")
    let mirrored = PixelImage(width: photo.width, height: photo.height) { photo.colour(photo.width - 1 - $0, $1) }
    let locator = try FaceLocator()
    let (first, second) = (try locator.locate(in: photo), try locator.locate(in: mirrored))
    #expect(abs(first.roll + second.roll) < 1.5 && abs(first.yaw + second.yaw) < 5)
  }

  @Test("A small face in a large photo is found")
  func small() throws {
    let portrait = try Fixtures.portrait("astronaut").scaled(width: 220, height: 220)
    let photo = PixelImage(width: 1200, height: 900) { x, y in
      x >= 700 && x < 920 && y >= 500 && y < 720 ? portrait.colour(x - 700, y - 500) : (90, 110, 130)
    }
    let face = try FaceLocator().locate(in: photo)
    #expect(abs(face.box.centre.x * 1200 - 797) < 15 && abs(face.box.centre.y * 900 - 552) < 15)
  }

  @Test(
    "A photo that lies on its side is turned upright", arguments: ["astronaut", "grace_hopper"], [1, 2, 3])
  func sideways(name: String, quarterTurns: Int) throws {
    let photo = try Fixtures.portrait(name)
    let locator = try FaceLocator()
    let upright = try locator.locate(in: photo)
    let found = try locator.locate(in: photo.turned(quarterTurns: quarterTurns))
    #expect(upright.quarterTurns == 0 && found.quarterTurns == 4 - quarterTurns)
    #expect(found.box.intersectionOverUnion(upright.box) > 0.9)
    #expect(abs(found.roll - upright.roll) < 3 && abs(found.yaw - upright.yaw) < 5)
  }

  @Test("A head that lies in an upright photo is turned upright too, the rest of its lean kept", arguments: [75.0, -110])
  func lying(degrees: Double) throws {
    let photo = try Fixtures.portrait("astronaut").rotated(degrees: degrees)
    let face = try FaceLocator().locate(in: photo)
    #expect(face.quarterTurns == (degrees > 0 ? 3 : 1))
    #expect(abs(face.roll) < 25)
  }

  @Test("A picture without a face says so")
  func nobody() throws {
    let photo = PixelImage(width: 400, height: 300) { x, y in (UInt8(x / 2), UInt8(y / 2), 120) }
    #expect(throws: PortraitError.noFace) { try FaceLocator().locate(in: photo) }
  }

  @Test("A tiny picture says so too", arguments: [1, 2, 17])
  func tiny(side: Int) throws {
    let photo = PixelImage(width: side, height: side) { _, _ in (100, 100, 100) }
    #expect(throws: PortraitError.noFace) { try FaceLocator().locate(in: photo) }
  }

  @Test("Two equal people are not guessed between")
  func twoEquals() throws {
    let portrait = try Fixtures.portrait("astronaut")
    #expect(throws: PortraitError.severalFaces(count: 2)) {
      try FaceLocator().locate(in: portrait.beside(portrait))
    }
  }

  @Test("The prominent one of two people is taken, with a warning")
  func twoPeople() throws {
    let portrait = try Fixtures.portrait("grace_hopper")
    let other = try Fixtures.portrait("astronaut").scaled(width: 300, height: 300)
    let face = try FaceLocator().locate(in: portrait.beside(other))
    #expect(face.box.centre.x < 0.5 && face.otherFaces == 1)
    #expect(face.warnings.map(\.kind) == [.severalFaces])
  }

  @Test("Four heads that touch are not guessed between; three are, and those apart or far smaller do not count", arguments: [
    ([100, 150, 50, 200], 40.0, 4), ([100, 150, 50], 40, 3), ([100, 200, 20, 300], 40, 1), ([100, 150, 50, 200], 15, 1),
    ([100, 150, 200, 250], 40, 4),
  ] as [([Double], Double, Int)])
  func heads(columns: [Double], width: Double, count: Int) {
    // The first one is the main face.
    let boxes = columns.enumerated().map { index, x in
      Rectangle(x: x, y: 100, width: index == 0 ? 40 : width, height: index == 0 ? 50 : width * 1.25)
    }
    #expect(FaceLocator.touching(0, of: boxes).count == count)
  }

  @Test("A blurred face in front of a sharp one is not taken for the person, nor the other way round refused")
  func blurredInFront() throws {
    let front = try Fixtures.portrait("grace_hopper")
    let behind = try Fixtures.portrait("astronaut").scaled(width: 330, height: 330)
    let blurred = front.blurred(radius: 4)
    #expect(throws: PortraitError.sharpBehindBlurred(count: 1)) { try FaceLocator().locate(in: blurred.beside(behind)) }
    #expect(throws: Never.self) { try FaceLocator().locate(in: front.beside(behind.blurred(radius: 4))) }
    #expect(throws: Never.self) { try FaceLocator().locate(in: blurred) }
  }

  @Test("A face cut by the photo's edge is refused")
  func cutOff() throws {
    let portrait = try Fixtures.portrait("astronaut")
    let photo = portrait.cut(PixelRectangle(x: 163, y: 0, width: 187, height: 416))
    #expect(throws: PortraitError.faceCutOff) { try FaceLocator().locate(in: photo) }
  }

  @Test(
    "The prominent face is the large and central one",
    arguments: [
      ([(100.0, 100.0, 200.0)], 0), ([(0, 0, 100), (400, 300, 200)], 1), ([(450, 350, 150), (0, 0, 180)], nil),
      ([(400, 300, 200), (200, 200, 190)], nil), ([(400, 300, 200), (0, 0, 190)], 0),
    ] as [([(Double, Double, Double)], Int?)])
  func dominant(boxes: [(Double, Double, Double)], expected: Int?) {
    let rectangles = boxes.map { Rectangle(x: $0.0, y: $0.1, width: $0.2, height: $0.2) }
    let found = try? FaceLocator.dominant(of: rectangles, width: 1000, height: 800)
    #expect(found == expected)
  }

  @Test("The search covers the whole photo on each level", arguments: 0..<40 as Range<UInt64>)
  func search(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (width, height) = (Int.random(in: 1...1280, using: &random), Int.random(in: 1...1280, using: &random))
    for (level, squares) in FaceSearch.levels(width: width, height: height).enumerated() {
      for _ in 0..<30 {
        let point = Point(
          x: .random(in: 0...Double(width), using: &random), y: .random(in: 0...Double(height), using: &random))
        let isSeen = squares.contains { square in
          let position = square.position(of: point)
          return (0...1).contains(position.x) && (0...1).contains(position.y)
        }
        #expect(isSeen, "seed \(seed), level \(level)")
      }
    }
  }

  @Test("Detections of one face are joined, of two kept apart")
  func merging() {
    func detection(_ x: Double, _ score: Double, width: Double = 100) -> FaceDetector.Detection {
      FaceDetector.Detection(
        box: Rectangle(x: x, y: 0, width: width, height: 100), viewersLeftEye: Point(x: x + 30, y: 40),
        viewersRightEye: Point(x: x + 70, y: 40), score: score)
    }
    let merged = FaceDetector.merged([
      detection(0, 0.6), detection(10, 0.9), detection(300, 0.7), detection(600, 0.8, width: 0),
    ])
    #expect(merged.map(\.score) == [0.9, 0.7])
    #expect(abs((merged.first?.box.x ?? 0) - 6) < 1e-9)
  }

  @Test(
    "A clearly turned head is told of, unless a side was asked for",
    arguments: [
      (34.0, nil, false), (-36, nil, true), (60, nil, true), (38, 0, true), (20, 0, false), (45, 0.5, false),
      (-80, -1, false),
    ] as [(Double, Double?, Bool)])
  func noticeable(yaw: Double, asked: Double?, expected: Bool) {
    #expect(HeadPose.isNoticeable(yaw, asked: asked) == expected)
  }

  @Test(
    "A head need not be turned exactly, but it must be turned",
    arguments: [
      (0.0, 0.0, true), (20, 0, true), (-20, 0, true), (40, 0, true), (-41, 0, false), (-38, -0.5, true),
      (0, -0.5, false), (15, 0.5, false), (45, -0.5, false), (45, 0.5, true), (80, 1, true),
      (10, 7, false), (75, 7, true),
    ])
  func pose(found: Double, asked: Double, isFine: Bool) {
    if isFine {
      #expect(throws: Never.self) { try HeadPose.check(found: found, asked: asked) }
    } else {
      #expect(throws: PortraitError.self) { try HeadPose.check(found: found, asked: asked) }
    }
  }
}

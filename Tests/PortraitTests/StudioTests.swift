import Foundation
import Testing

@testable import Portrait

@Suite("The studio")
struct StudioTests {
  static let names = ["astronaut", "grace_hopper"]

  @Test("The protocol's reference names each kind of warning", arguments: PortraitWarning.Kind.allCases)
  func kinds(kind: PortraitWarning.Kind) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let reference = try String(contentsOf: root.appending(path: "protocol/REFERENCE.md"), encoding: .utf8)
    let list = try #require(reference.firstRange(of: "**Warnings.** The kinds are"))
    #expect(reference[list.upperBound...].prefix(700).contains("`\(kind.rawValue)`"))
  }

  @Test("The same photo always gives the same bytes, whatever was made before", arguments: names)
  func determinism(name: String) throws {
    let photo = try Fixtures.portrait(name)
    let options = HeadshotOptions(background: .professional)
    let studio = try Studio()
    let first = try studio.headshot(of: photo, options: options)
    _ = try studio.headshot(of: photo, options: HeadshotOptions(background: .casual, variation: 2))
    #expect(try studio.headshot(of: photo, options: options) == first)
    #expect(try Studio().headshot(of: photo, options: options) == first)
  }

  @Test("The person stands before the backdrop, from the hair to the bottom edge", arguments: names)
  func composition(name: String) throws {
    let headshot = try Studio().headshot(
      of: Fixtures.portrait(name), options: HeadshotOptions(background: .professional, variation: 1))
    let image = headshot.image
    #expect(image.width == 1024 && image.height == 1024 && image.pixels.count == 1024 * 1024 * 3)
    let backdrop = StudioBackdrop.paint(variation: 1, scene: nil, size: 1024)
    func isBackdrop(_ x: Int, _ y: Int) -> Bool {
      let (red, green, blue) = image.colour(x, y)
      let expected = backdrop[x, y] * 255
      // A little darker where the photo's light is.
      return abs(Float(red) - expected.x) < 9 && abs(Float(green) - expected.y) < 9 && abs(Float(blue) - expected.z) < 9
    }
    for (x, y) in [(4, 4), (1019, 4), (60, 300), (960, 300), (512, 8)] {
      #expect(isBackdrop(x, y), "\(name) at \(x), \(y)")
    }
    for (x, y) in [(512, 420), (430, 500), (590, 500), (512, 1020), (400, 1020)] {
      #expect(!isBackdrop(x, y), "\(name) at \(x), \(y)")
    }
    #expect(headshot.warnings.contains { $0.kind == .lowResolution })
  }

  @Test(
    "The face in the headshot is levelled as planned, in the middle and of the wanted size", arguments: [0.0, 14, -14])
  func level(degrees: Double) throws {
    let portrait = try Fixtures.portrait("astronaut")
    let photo = degrees == 0 ? portrait : portrait.rotated(degrees: degrees)
    let studio = try Studio()
    let found = try studio.locateFace(in: photo)
    let plan = try studio.plan(for: found, photoWidth: photo.width, photoHeight: photo.height)
    let headshot = try studio.headshot(of: photo, options: HeadshotOptions(background: .professional))
    let face = try FaceLocator().locate(in: headshot.image)
    #expect(abs(face.roll - (found.roll - plan.square.rotation)) < 2)
    #expect(abs(face.box.centre.x - 0.5) < 0.06)
    #expect((0.3...0.52).contains(face.viewersLeftEye.y))
    #expect((0.3...0.62).contains(face.box.height))
  }

  @Test("A leaning head that fills the photo is not levelled, because that would cut it", arguments: [14.0, -14])
  func leaningAndTight(degrees: Double) throws {
    let photo = try Fixtures.portrait("astronaut").rotated(degrees: degrees)
    let found = try FaceLocator().locate(in: photo)
    let (width, height) = (Double(photo.width), Double(photo.height))
    let face = Rectangle(
      x: found.box.x * width, y: found.box.y * height, width: found.box.width * width, height: found.box.height * height)
    let tight = photo.cut(
      PixelRectangle(
        x: Int(face.x - face.width * 0.4), y: Int(face.y - face.height * 0.4), width: Int(face.width * 1.8),
        height: Int(face.height * 1.45)))
    let headshot = try Studio().headshot(of: tight, options: HeadshotOptions(background: .professional))
    #expect(abs(try FaceLocator().locate(in: headshot.image).roll - found.roll) < 3)
  }

  @Test(
    "The variations are really different pictures of the same person",
    arguments: [.professional, .casual] as [HeadshotOptions.Background])
  func variations(background: HeadshotOptions.Background) throws {
    let studio = try Studio()
    let photo = try Fixtures.portrait("grace_hopper")
    let images = try (0..<4).map { variation in
      try studio.headshot(of: photo, options: HeadshotOptions(background: background, variation: variation)).image
    }
    for (index, image) in images.enumerated() {
      for other in images[(index + 1)...] {
        #expect(Self.difference(image, other, PixelRectangle(x: 0, y: 0, width: 1024, height: 120)) > 6)
        #expect(Self.difference(image, other, PixelRectangle(x: 450, y: 500, width: 120, height: 60)) < 1)
      }
    }
  }

  @Test("A head cut by the photo's top fills the picture to its top edge")
  func cutAtTheTop() throws {
    let photo = try Fixtures.portrait("astronaut")
    let tight = photo.cut(PixelRectangle(x: 40, y: 40, width: 300, height: 376))
    let headshot = try Studio().headshot(of: tight, options: HeadshotOptions(background: .professional, variation: 1))
    let backdrop = StudioBackdrop.paint(variation: 1, scene: nil, size: 1024)
    for x in stride(from: 440, to: 600, by: 20) {
      for y in 0..<6 {
        let (red, green, blue) = headshot.image.colour(x, y)
        let expected = backdrop[x, y] * 255
        let distance = max(
          abs(Float(red) - expected.x), abs(Float(green) - expected.y), abs(Float(blue) - expected.z))
        #expect(distance > 12, "at \(x), \(y)")
      }
    }
  }

  @Test("A casual background is the photo's own")
  func casual() throws {
    let image = try Studio().headshot(
      of: Fixtures.portrait("grace_hopper"), options: HeadshotOptions(background: .casual)
    ).image
    let (red, _, blue) = image.colour(980, 400)
    #expect(blue > red && blue > 120)
  }

  @Test("Progress rises through all stages in order")
  func progress() throws {
    var stages: [HeadshotStage] = []
    var fractions: [Double] = []
    _ = try Studio().headshot(
      of: Fixtures.portrait("astronaut"), options: HeadshotOptions(background: .professional)
    ) { stage, fraction in
      if stages.last != stage { stages.append(stage) }
      fractions.append(fraction)
    }
    #expect(stages == HeadshotStage.allCases)
    #expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 < $1 })
    #expect(fractions.first == 0 && fractions.last == 1)
  }

  @Test("The studio stops where it is told to", arguments: HeadshotStage.allCases)
  func cancelled(at last: HeadshotStage) throws {
    let studio = try Studio()
    let photo = try Fixtures.portrait("astronaut")
    var seen: [HeadshotStage] = []
    #expect(throws: PortraitError.cancelled) {
      try studio.headshot(of: photo, options: HeadshotOptions(background: .professional)) {
        (stage, _) throws(PortraitError) in
        seen.append(stage)
        if stage == last { throw .cancelled }
      }
    }
    #expect(seen.last == last)
  }

  @Test("A photo that ends close to the head is cropped more tightly, and a warning says so")
  func tight() throws {
    let photo = try Fixtures.portrait("astronaut")
    let options = HeadshotOptions(background: .professional)
    let roomy = try Studio().headshot(of: photo, options: options)
    #expect(!roomy.warnings.contains { $0.kind == .tightCrop })
    let cut = photo.cut(PixelRectangle(x: 40, y: 40, width: 300, height: 376))
    let tight = try Studio().headshot(of: cut, options: options)
    #expect(tight.warnings.contains { $0.kind == .tightCrop })
  }

  @Test("A photo out of focus, and one that is far too dark, are told of")
  func weaknesses() throws {
    let photo = try Fixtures.portrait("grace_hopper")
    let studio = try Studio()
    let options = HeadshotOptions(background: .professional)
    func warnings(_ photo: PixelImage) throws -> [PortraitWarning.Kind] {
      try studio.headshot(of: photo, options: options).warnings.map(\.kind)
    }
    let dark = PixelImage(width: photo.width, height: photo.height, pixels: photo.pixels.map { $0 / 10 * 3 })
    let usual = try warnings(photo)
    #expect(!usual.contains(.outOfFocus) && !usual.contains(.tooDark))
    #expect(try warnings(photo.blurred(radius: 3)).contains(.outOfFocus))
    #expect(try warnings(dark).contains(.tooDark))
  }

  @Test("A face with the light behind it becomes brighter before white, and hardly before charcoal")
  func backlit() throws {
    let photo = try Fixtures.portrait("grace_hopper")
    // The glow of a window behind the camera's subject: little contrast, and no highlights.
    let backlit = PixelImage(width: photo.width, height: photo.height, pixels: photo.pixels.map { 50 + $0 / 3 })
    let studio = try Studio()
    let face = PixelRectangle(x: 450, y: 380, width: 130, height: 160)
    func brightness(_ options: HeadshotOptions) throws -> Double {
      try studio.headshot(of: backlit, options: options).image.cut(face).plane.meanLuma
    }
    let white = try brightness(HeadshotOptions(background: .colour(red: 255, green: 255, blue: 255)))
    let charcoal = try brightness(HeadshotOptions(background: .professional, variation: 3))
    #expect(white > charcoal + 0.04)
  }

  @Test("A head that is not turned as asked is refused with both angles", arguments: [-0.5, 0.5, 1])
  func turned(angle: Double) throws {
    let studio = try Studio()
    let photo = try Fixtures.portrait("astronaut")
    #expect {
      try studio.headshot(of: photo, options: HeadshotOptions(background: .professional, angle: angle))
    } throws: { error in
      guard case PortraitError.cannotTurnHead(let asked, let found)? = error as? PortraitError else { return false }
      return asked == angle * 90 && abs(found) < 12
    }
  }

  @Test("A turned head stays as it is when no angle is asked for, and a warning says so", arguments: [-45.0, 34, 60])
  func asPhotographed(yaw: Double) throws {
    let studio = try Studio()
    let photo = try Fixtures.portrait("astronaut")
    var face = try studio.locateFace(in: photo)
    face.yaw = yaw
    let plan = try studio.plan(for: face, photoWidth: photo.width, photoHeight: photo.height)
    let region = photo.region(of: plan)
    let headshot = try studio.headshot(region: region, plan: plan, options: HeadshotOptions(background: .professional))
    let warning = headshot.warnings.first { $0.kind == .turnedHead }
    if yaw == 34 {
      #expect(warning == nil)
    } else {
      #expect(warning?.message.text.contains(yaw < 0 ? "turned 45° to the left" : "turned 60° to the right") == true)
      #expect(throws: PortraitError.cannotTurnHead(asked: 0, found: yaw)) {
        try studio.headshot(region: region, plan: plan, options: HeadshotOptions(background: .professional, angle: 0))
      }
    }
  }

  @Test("Pixels that do not fit are refused")
  func malformed() throws {
    let studio = try Studio()
    let photo = try Fixtures.portrait("astronaut")
    for image in [
      PixelImage(width: 10, height: 10, pixels: [1, 2, 3]), PixelImage(width: 0, height: 0, pixels: []),
      PixelImage(width: -3, height: -1, pixels: [0, 0, 0, 0, 0, 0, 0, 0, 0]),
      PixelImage(width: .max, height: .max, pixels: []),
    ] {
      #expect(throws: PortraitError.malformedImage) { try studio.locateFace(in: image) }
    }
    let plan = try studio.plan(for: studio.locateFace(in: photo), photoWidth: 416, photoHeight: 416)
    #expect(throws: PortraitError.malformedImage) {
      try studio.headshot(
        region: PhotoRegion(image: photo, area: Rectangle(x: 0, y: 0, width: 40, height: 40)), plan: plan,
        options: HeadshotOptions(background: .casual))
    }
  }

  @Test(
    "Each error is a sentence a person can act on",
    arguments: [
      .modelsUnusable("It is broken."), .malformedImage, .noFace, .faceTooSmall(pixels: 12), .faceCutOff,
      .severalFaces(count: 3), .cannotTurnHead(asked: -45, found: 2), .cancelled,
    ] as [PortraitError])
  func messages(error: PortraitError) {
    #expect(error.sentence.text.hasSuffix(".") && error.sentence.text.count > 20)
    if case .cannotTurnHead = error { #expect(error.sentence.text.contains("turned 45° to the left")) }
    if case .faceTooSmall = error { #expect(error.sentence.text.contains("12 pixels")) }
  }

  /// The mean difference of a part of two pictures, of 255, looked at every few pixels.
  private static func difference(_ left: PixelImage, _ right: PixelImage, _ part: PixelRectangle) -> Double {
    let (first, second) = (left.cut(part).pixels, right.cut(part).pixels)
    let places = stride(from: 0, to: first.count, by: 31)
    return places.reduce(0.0) { $0 + Double(abs(Int(first[$1]) - Int(second[$1]))) } / Double(first.count / 31)
  }
}

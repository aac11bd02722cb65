import Testing

@testable import Portrait

@Suite("The shape and size of the picture")
struct PictureShapeTests {
  private static let shapes = [(1, 1), (4, 5), (3, 4), (2, 3), (35, 45)]

  @Test(
    "The picture is the middle columns of a square",
    arguments: [
      (1, 1, 1024, 1024), (4, 5, 1024, 819), (3, 4, 1024, 768), (2, 3, 1024, 683), (3, 4, 256, 192), (35, 45, 2048, 1593),
    ])
  func columns(width: Int, height: Int, side: Int, expected: Int) {
    let columns = PictureShape(width: width, height: height).columns(ofSquare: side)
    #expect(columns.count == expected)
    #expect(abs(columns.lowerBound - (side - columns.upperBound)) <= 1)
  }

  @Test(
    "The picture has the size that was asked for up to 1024 pixels, beyond no more than the photo shows",
    arguments: [(512, 100.0, 512), (1024, 300, 1024), (2048, 3000.9, 2048), (2048, 1500.7, 1500), (2048, 700, 1024)])
  func size(asked: Int, shown: Double, height: Int) {
    #expect(PictureShape(longestSide: asked).height(showing: shown) == height)
  }

  @Test("The head takes the same part of the width in every shape, and the eyes are in the upper part")
  func heads() throws {
    let face = CropPlannerTests.face(x: 1500, y: 1800, width: 500, height: 700, photo: (3000, 4000))
    for (width, height) in Self.shapes.dropLast() {
      let shape = PictureShape(width: width, height: height)
      let plan = try CropPlanner.plan(for: face, photoWidth: 3000, photoHeight: 4000, shape: shape)
      #expect(abs(700 / (plan.square.side * shape.aspect) - CropTuning.Planner.faceHeight) < 1e-9)
      let eyes = plan.square.position(of: Point(x: 1500, y: 1800 - 700 * 0.18))
      #expect(abs(eyes.y - shape.eyeHeight) < 0.002 && (0.35...0.42).contains(eyes.y))
      // The forehead ends the face's box; hair needs more room.
      #expect(plan.square.position(of: Point(x: 1500, y: 1450)).y > 0.15)
    }
  }

  @Test("Shapes that are none are refused", arguments: [
    (0, 1, 1024), (1, 0, 1024), (2, 1, 1024), (1, 3, 1024), (1, 1, 0), (1, 1, 9000),
  ])
  func refusals(width: Int, height: Int, side: Int) {
    let face = CropPlannerTests.face(x: 500, y: 500, width: 200, height: 260, photo: (1000, 1000))
    #expect(throws: PortraitError.malformedImage) {
      try CropPlanner.plan(
        for: face, photoWidth: 1000, photoHeight: 1000,
        shape: PictureShape(width: width, height: height, longestSide: side))
    }
  }

  @Test("Columns of a crop are those of the whole crop", arguments: [0.0, 7.5])
  func resampling(rotation: Double) {
    let source = PixelImage(width: 300, height: 260) { x, y in (UInt8(x % 256), UInt8(y % 256), UInt8((x * y) % 256)) }
    let square = CropSquare(centre: Point(x: 160, y: 120), side: 200, rotation: rotation)
    let whole = CropResampler.image(of: square, in: source, size: 150)
    let part = CropResampler.image(of: square, in: source, size: 150, columns: 20..<121)
    #expect((part.width, part.height) == (101, 150))
    for y in 0..<150 {
      for x in 0..<101 {
        let (a, b) = (part.colour(x, y), whole.colour(x + 20, y))
        #expect(abs(Int(a.0) - Int(b.0)) <= 2 && abs(Int(a.1) - Int(b.1)) <= 2)
      }
    }
  }

  @Test("A taller picture of a photo has the head where the square has it", arguments: [(4, 5), (3, 4), (2, 3)])
  func portrait(width: Int, height: Int) throws {
    let studio = try Studio()
    let photo = try Fixtures.portrait("astronaut")
    let found = try studio.locateFace(in: photo)
    let shape = PictureShape(width: width, height: height, longestSide: 900)
    let plan = try studio.plan(for: found, photoWidth: photo.width, photoHeight: photo.height, shape: shape)
    let region = PhotoRegion(image: photo.cut(plan.region), area: Rectangle(plan.region))
    let made = try studio.headshot(region: region, plan: plan, options: HeadshotOptions(background: .casual))
    #expect((made.image.width, made.image.height) == (shape.columns(ofSquare: 900).count, 900))
    #expect(made.opacity.count == made.image.width * made.image.height)
    let face = try FaceLocator().locate(in: made.image)
    #expect(abs(face.box.centre.x - 0.5) < 0.07)
    #expect((0.25...0.52).contains(face.viewersLeftEye.y))
  }

  @Test("A photo for a passport has its measures in the finished picture")
  func passport() throws {
    let studio = try Studio()
    let photo = try Fixtures.portrait("astronaut")
    let found = try studio.locateFace(in: photo)
    let shape = PictureShape(width: 35, height: 45, placement: .passport(.icao))
    let plan = try studio.plan(for: found, photoWidth: photo.width, photoHeight: photo.height, shape: shape)
    let region = PhotoRegion(image: photo.cut(plan.region), area: Rectangle(plan.region))
    let made = try studio.headshot(
      region: region, plan: plan, options: HeadshotOptions(background: .colour(red: 255, green: 255, blue: 255)))
    #expect((made.image.width, made.image.height) == (796, 1024))
    let face = try FaceLocator().locate(in: made.image)
    let measures = try #require(face.measures)
    let eyes = (face.viewersLeftEye.y + face.viewersRightEye.y) / 2
    let head = (measures.chin.y - eyes) / CropTuning.Passport.eyesInHead
    #expect((0.69...0.81).contains(head), "\(head)")
    #expect((0.49...0.70).contains(1 - eyes))
    #expect(abs((face.viewersLeftEye.x + face.viewersRightEye.x) / 2 - 0.5) < 0.02)
    #expect(made.image.colour(5, 5) == (255, 255, 255))
    // She smiles with open lips.
    #expect(made.warnings.contains { $0.kind == .passportRule && $0.message.text.contains("mouth") })
  }
}

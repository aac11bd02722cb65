import Testing

@testable import Portrait

@Suite("A picture of the whole photo")
struct WholeFrameTests {
  private static let white = HeadshotOptions(background: .colour(red: 255, green: 255, blue: 255))

  /// The photo twice, side by side or one below the other.
  private static func doubled(_ photo: PixelImage, isWide: Bool) -> PixelImage {
    let (width, height) = (photo.width, photo.height)
    return PixelImage(width: isWide ? width * 2 : width, height: isWide ? height : height * 2) { x, y in
      photo.colour(x % width, y % height)
    }
  }

  private static func made(
    _ photo: PixelImage, longestSide: Int = PictureShape.usualSide, options: HeadshotOptions = white
  ) throws -> Headshot {
    let studio = try Studio()
    let found = try studio.locateFace(in: photo, choosesOne: false)
    let plan = try studio.plan(
      for: found, photoWidth: photo.width, photoHeight: photo.height,
      shape: PictureShape(longestSide: longestSide, placement: .wholeFrame))
    #expect(plan.region == PixelRectangle(x: 0, y: 0, width: photo.width, height: photo.height))
    let region = PhotoRegion(image: photo.cut(plan.region), area: Rectangle(plan.region))
    return try studio.headshot(region: region, plan: plan, options: options)
  }

  @Test("The picture has the photo's shape, and is never enlarged", arguments: [
    (1024, 3000, 4000), (400, 4000, 3000), (2000, 512, 600), (256, 256, 256), (2048, 4096, 1716),
  ])
  func shape(asked: Int, width: Int, height: Int) {
    let shape = PictureShape.wholeFrame(width: width, height: height, longestSide: asked)
    #expect(shape.longestSide == min(asked, max(width, height)))
    let area = PhotoArea(photoWidth: width, photoHeight: height, size: shape.longestSide)
    #expect(max(area.columns.count, area.rows.count) == shape.longestSide)
    let ratio = Double(area.columns.count) / Double(area.rows.count)
    #expect(abs(ratio / (Double(width) / Double(height)) - 1) < 0.01)
  }

  @Test("The picture shows each point of the photo where the photo has it, in either format", arguments: [true, false])
  func places(isWide: Bool) throws {
    let single = try Fixtures.portrait("astronaut")
    let photo = Self.doubled(single, isWide: isWide)
    let made = try Self.made(photo)
    #expect((made.image.width, made.image.height) == (photo.width, photo.height))
    #expect(made.opacity.count == photo.width * photo.height)
    // The faces, where nothing but a little light is changed.
    let face = try FaceLocator().locate(in: single).box
    for copy in 0..<2 {
      let x = Int(face.centre.x * 416) + (isWide ? copy * 416 : 0)
      let y = Int(face.centre.y * 416) + (isWide ? 0 : copy * 416)
      #expect(made.opacity[y * photo.width + x] == 255, "nobody is cut away")
      let (found, original) = (made.image.colour(x, y), photo.colour(x, y))
      #expect(abs(Int(found.0) - Int(original.0)) < 40 && abs(Int(found.1) - Int(original.1)) < 40)
    }
    #expect(!made.warnings.contains { $0.kind == .severalFaces || $0.kind == .tightCrop })
  }

  @Test("A person whom the photo cuts off goes on to its edge")
  func edges() throws {
    // Narrower than high, so that the square goes on beyond both sides, where the shoulders are cut.
    let photo = try Fixtures.portrait("grace_hopper").cut(PixelRectangle(x: 60, y: 0, width: 264, height: 450))
    let made = try Self.made(photo)
    #expect((made.image.width, made.image.height) == (photo.width, photo.height))
    for x in [0, photo.width - 1] { #expect(made.opacity[430 * photo.width + x] > 250, "column \(x)") }
  }

  @Test("Two people of the same size are refused where one is to be chosen, and a photo without a face always")
  func people() throws {
    let single = try Fixtures.portrait("astronaut")
    #expect(throws: PortraitError.severalFaces(count: 2)) {
      try FaceLocator().locate(in: Self.doubled(single, isWide: true))
    }
    let empty = PixelImage(width: 300, height: 200) { x, y in (UInt8(x % 256), 128, UInt8(y % 256)) }
    #expect(throws: PortraitError.noFace) { try FaceLocator().locate(in: empty, choosesOne: false) }
  }

  @Test("A larger size than the photo has is told")
  func size() throws {
    let photo = try Fixtures.portrait("astronaut")
    let made = try Self.made(photo, longestSide: 2048)
    #expect((made.image.width, made.image.height) == (416, 416))
    #expect(made.warnings.map(\.kind) == [.sizeDiffers])
  }

  @Test("The photo's area in the square is continued beyond the photo, and cut out exactly")
  func area() {
    let area = PhotoArea(photoWidth: 2, photoHeight: 4, size: 8)
    #expect(area.columns == 2..<6 && area.rows == 0..<8)
    var plane = Plane<Float>(width: 8, height: 8, repeating: 0)
    for y in 0..<8 { (plane[2, y], plane[5, y]) = (1, 2) }
    let continued = area.continued(plane)
    for y in 0..<8 { #expect((0..<8).map { continued[$0, y] } == [1, 1, 1, 0, 0, 2, 2, 2]) }
    let picture = FinishedPicture(
      image: PixelImage(width: 8, height: 8) { x, y in (UInt8(x), UInt8(y), 0) }, opacity: (0..<64).map { UInt8($0) })
    let part = area.part(of: picture)
    #expect((part.image.width, part.image.height) == (4, 8))
    #expect(part.image.colour(0, 0) == (2, 0, 0) && part.image.colour(3, 7) == (5, 7, 0))
    #expect(part.opacity.prefix(4).elementsEqual([2, 3, 4, 5]) && part.opacity.last == 61)
  }
}

import Testing

@testable import Portrait

@Suite("How sharp a face is")
struct FaceSharpnessTests {
  /// A face, as far as sharpness goes: dark eyes and a mouth on skin, with edges `softness` pixels wide.
  private static func face(width: Int, softness: Int, contrast: Float = 0.5) -> Plane<Colour> {
    var plane = Plane<Float>(width: width, height: width, repeating: 0.7)
    for (x, y, w, h) in [(0.2, 0.3, 0.2, 0.12), (0.6, 0.3, 0.2, 0.12), (0.3, 0.7, 0.4, 0.1)] {
      for row in Int(y * Double(width))..<Int((y + h) * Double(width)) {
        for column in Int(x * Double(width))..<Int((x + w) * Double(width)) { plane[column, row] = 0.7 - contrast }
      }
    }
    return BoxBlur.smooth(plane, radius: softness).map { Colour($0, $0, $0, 0) }
  }

  private static func sharpness(_ image: Plane<Colour>) -> Float? {
    FaceSharpness.value(of: Rectangle(x: 0, y: 0, width: Double(image.width), height: Double(image.height)), in: image)
  }

  @Test("A face in focus is sharp, whatever its size and contrast", arguments: [150, 220, 320], [0.1, 0.3, 0.6] as [Float])
  func sharp(width: Int, contrast: Float) throws {
    let value = try #require(Self.sharpness(Self.face(width: width, softness: 0, contrast: contrast)))
    #expect(value > 2 * FaceTuning.Sharpness.outOfFocus)
  }

  @Test("A blurred face is not sharp", arguments: [150, 220, 320], [0.1, 0.3, 0.6] as [Float])
  func blurred(width: Int, contrast: Float) throws {
    let image = Self.face(width: width, softness: width / 50, contrast: contrast)
    #expect(try #require(Self.sharpness(image)) < FaceTuning.Sharpness.outOfFocus)
  }

  @Test("A face without contrast, or outside the picture, cannot be measured")
  func unmeasurable() {
    let image = Plane<Colour>(width: 100, height: 100, repeating: Colour(repeating: 0.5))
    #expect(Self.sharpness(image) == nil)
    #expect(FaceSharpness.value(of: Rectangle(x: 200, y: 0, width: 50, height: 50), in: image) == nil)
  }

  @Test("The bundled portraits are in focus, and out of it when they are blurred", arguments: StudioTests.names)
  func portraits(name: String) throws {
    let photo = try Fixtures.portrait(name)
    let face = try FaceLocator().locate(in: photo)
    let box = Rectangle(
      x: face.box.x * Double(photo.width), y: face.box.y * Double(photo.height),
      width: face.box.width * Double(photo.width), height: face.box.height * Double(photo.height))
    let image = photo.plane
    #expect(try #require(FaceSharpness.value(of: box, in: image)) > FaceTuning.Sharpness.outOfFocus)
    let soft = (0..<3).reduce(image) { plane, _ in BoxBlur.apply(plane, radius: 3) }
    #expect(try #require(FaceSharpness.value(of: box, in: soft)) < FaceTuning.Sharpness.outOfFocus)
  }
}

import Glibc
import Testing

@testable import Portrait

@Suite("Backgrounds")
struct BackgroundTests {
  /// A scene of one colour, of which a person covers the middle.
  private static func scene(_ colour: Colour) -> Plane<Colour> {
    var plane = Plane<Colour>(width: 128, height: 128, repeating: colour.replacingLast(1))
    for y in 40..<128 { for x in 40..<88 { plane[x, y] = Colour(0.9, 0.2, 0.1, 0) } }
    return plane
  }
  private static let unchanged = ToneCurve(for: .neutral)

  @Test(
    "The four backdrops differ clearly, are darker in the corners and come round again",
    arguments: [nil, Colour(0.95, 0.95, 0.95, 1), Colour(0.5, 0.5, 0.5, 1), Colour(0.02, 0.02, 0.02, 1)])
  func backdrops(behind colour: Colour?) {
    let scene = colour.flatMap { SceneLight(of: Self.scene($0), tone: Self.unchanged) }
    #expect((scene == nil) == (colour == nil))
    func paint(_ variation: Int) -> Plane<Colour> {
      StudioBackdrop.paint(variation: variation, scene: scene, size: 64)
    }
    let planes = (0..<4).map(paint)
    for (index, plane) in planes.enumerated() {
      let middle = plane[30, 24]
      for corner in [plane[0, 0], plane[63, 0], plane[0, 63], plane[63, 63]] {
        #expect(corner.luma < middle.luma * 0.95, "variation \(index)")
      }
      for other in planes[(index + 1)...] {
        let difference = (middle - other[30, 24]).replacingLast(0)
        #expect((difference * difference).sum().squareRoot() > 0.08, "variation \(index)")
      }
    }
    #expect(paint(5).values == planes[1].values)
    #expect(paint(-1).values == planes[3].values)
  }

  @Test(
    "The first backdrop is as bright as the background that it replaces, within a studio's limits",
    arguments: [(0.98, 0.9), (0.7, 0.7), (0.4, 0.4), (0.02, 0.16)] as [(Float, Float)])
  func level(of background: Float, expected: Float) throws {
    let scene = try #require(SceneLight(of: Self.scene(Colour(repeating: background)), tone: Self.unchanged))
    let backdrop = StudioBackdrop.paint(variation: 0, scene: scene, size: 128)
    // Beside the head.
    for x in [34, 92] { #expect(abs(backdrop[x, 50].luma - expected) < 0.04, "at \(x)") }
  }

  @Test("The first backdrop is brighter on the side of a window, without showing the window")
  func window() throws {
    var image = Self.scene(Colour(0.3, 0.3, 0.3, 1))
    for y in 20..<70 { for x in 0..<30 { image[x, y] = Colour(1, 1, 1, 1) } }
    let scene = try #require(SceneLight(of: image, tone: Self.unchanged))
    let backdrop = StudioBackdrop.paint(variation: 0, scene: scene, size: 128)
    #expect(backdrop[16, 45].luma > backdrop[112, 45].luma + 0.04)
    for x in 1..<128 { #expect(abs(backdrop[x, 45].luma - backdrop[x - 1, 45].luma) < 0.01, "at \(x)") }
  }

  @Test(
    "The light of the first backdrop has an even slope of at most half a stop, towards the side from which the face is lit",
    arguments: [(0, 1), (0.1, 1), (-0.6, 1), (0.6, -1)] as [(Double, Float)])
  func slope(faceSide: Double, sign: Float) throws {
    var image = Self.scene(Colour(0.3, 0.3, 0.3, 1))
    // A window at the left, and a lamp in a corner of the other side.
    for y in 20..<70 { for x in 0..<30 { image[x, y] = Colour(0.9, 0.9, 0.9, 1) } }
    for y in 100..<120 { for x in 100..<120 { image[x, y] = Colour(1, 1, 1, 1) } }
    let scene = try #require(SceneLight(of: image, tone: Self.unchanged, faceSide: faceSide))
    let levels = scene.levels
    let stops = (0..<levels.width).map { 2.2 * log2(levels[$0, 20]) }
    #expect(abs(stops[stops.count - 1] - stops[0]) <= 0.5)
    #expect((stops[0] - stops[stops.count - 1]) * sign > 0.2)
    for (left, right) in zip(stops, stops.dropFirst()) { #expect((left - right) * sign > 0) }
  }

  @Test("The first backdrop has a hint of the background's colour, never more")
  func tint() throws {
    let scene = try #require(SceneLight(of: Self.scene(Colour(0.1, 0.9, 0.2, 1)), tone: Self.unchanged))
    let colour = StudioBackdrop.paint(variation: 0, scene: scene, size: 64)[10, 20]
    #expect(colour.y > colour.x && colour.y > colour.z)
    #expect(max(colour.x, colour.y, colour.z) - min(colour.x, colour.y, colour.z) < 0.06)
  }

  @Test("The first backdrop follows the background as it looks once the light is corrected")
  func corrected() throws {
    let image = Self.scene(Colour(0.3, 0.3, 0.3, 1))
    let lighter = ToneCurve(for: PhotoLight(median: 0.3, bright: 0.5, cast: SIMD3(1, 1, 1)))
    let (before, after) = try (
      #require(SceneLight(of: image, tone: Self.unchanged)), #require(SceneLight(of: image, tone: lighter))
    )
    #expect(after.levels[2, 2] > before.levels[2, 2] + 0.02)
  }

  @Test("A person who fills the photo has no background to follow")
  func nothingVisible() {
    let image = Plane<Colour>(width: 128, height: 128, repeating: Colour(0.4, 0.4, 0.4, 0))
    #expect(SceneLight(of: image, tone: Self.unchanged) == nil)
  }

  @Test("Nothing of the person shines through a soft background", arguments: 0..<4)
  func noGhost(variation: Int) {
    // A red person before a grey wall.
    var image = Plane<Colour>(width: 96, height: 96, repeating: Colour(0.5, 0.5, 0.5, 1))
    for y in 30..<96 { for x in 30..<66 { image[x, y] = Colour(0.9, 0.1, 0.1, 0) } }
    let result = SoftFocusBackground.render(image, variation: variation)
    let warmth = BackgroundTuning.SoftFocus.focuses[variation].warmth
    let expected = (warmth.x / warmth.y).squareRoot()
    for y in stride(from: 0, to: 96, by: 8) {
      for x in stride(from: 0, to: 96, by: 8) {
        #expect(abs(result[x, y].x / result[x, y].y - expected) < 0.02, "at \(x), \(y)")
      }
    }
  }

  @Test("The surroundings of the person are not taken for visible background")
  func surroundings() {
    let image = Plane<Colour>(width: 64, height: 64, repeating: Colour(0.5, 0.5, 0.5, 0))
    var opacity = Plane<Float>(width: 64, height: 64, repeating: 0)
    opacity[32, 32] = 0.05
    let scene = VisibleBackground.scene(of: image, opacity: opacity, valid: [Bool](repeating: true, count: 64 * 64))
    for y in 0..<64 {
      for x in 0..<64 {
        let isNear = max(abs(x - 32), abs(y - 32)) <= BackgroundTuning.Visible.margin
        #expect(scene[x, y].w == (isNear ? 0 : 1), "at \(x), \(y)")
      }
    }
  }

  @Test("The photo goes on beyond its end as its mirror image")
  func mirrored() {
    var image = Plane<Colour>(width: 12, height: 10, repeating: .zero)
    for y in 0..<10 { for x in 0..<12 { image[x, y] = Colour(Float(x), Float(y), 0, 0) } }
    // The photo has the columns 3…8 of the rows 2…7.
    let valid = (0..<120).map { (3...8).contains($0 % 12) && (2...7).contains($0 / 12) }
    let opacity = Plane<Float>(width: 12, height: 10, repeating: 0)
    let scene = VisibleBackground.scene(of: image, opacity: opacity, valid: valid)
    let columns = [5, 4, 3, 3, 4, 5, 6, 7, 8, 8, 7, 6]
    let rows = [3, 2, 2, 3, 4, 5, 6, 7, 7, 6]
    for y in 0..<10 {
      for x in 0..<12 { #expect(scene[x, y] == Colour(Float(columns[x]), Float(rows[y]), 0, 1), "at \(x), \(y)") }
    }
  }

  @Test("A mirror image that is wider than the photo stays in it")
  func narrowMirror() {
    #expect([0, 1, 2, 3, 6, 7, 8].map { VisibleBackground.mirror($0, 4, 5) } == [5, 5, 5, 4, 5, 4, 4])
    let image = Plane<Colour>(width: 8, height: 8, repeating: Colour(0.3, 0.3, 0.3, 0))
    let none = VisibleBackground.scene(
      of: image, opacity: Plane(width: 8, height: 8, repeating: 0), valid: [Bool](repeating: false, count: 64))
    #expect(none.values.allSatisfy { $0.w == 0 })
  }

  @Test("Holes take the colour of what surrounds them")
  func fill() {
    var plane = Plane<Colour>(width: 32, height: 32, repeating: Colour(0.2, 0.4, 0.6, 1))
    for y in 8..<24 { for x in 8..<24 { plane[x, y] = .zero } }
    for colour in SoftFocusBackground.fill(plane).values {
      #expect(abs(colour.x - 0.2) < 0.01 && abs(colour.y - 0.4) < 0.01 && abs(colour.w - 1) < 0.01)
    }
    let nothing = SoftFocusBackground.fill(Plane(width: 9, height: 5, repeating: .zero))
    #expect(nothing.values.allSatisfy { $0.w == 1 && $0.x.isFinite })
  }

  @Test("Grain is even and always the same")
  func noise() {
    var sum: Float = 0
    for y in 0..<100 {
      for x in 0..<100 {
        let value = Noise.value(x, y)
        #expect(value >= -1 && value <= 1)
        #expect(Noise.value(x, y) == value)
        sum += value
      }
    }
    #expect(abs(sum / 10_000) < 0.03)
  }

  @Test("The background gets grain of the set strength, the person none")
  func grain() {
    let values = (0..<1600).map { Colour(0.5, 0.5, 0.5, $0 % 40 < 20 ? 1 : 0) }
    let image = Sharpener(grain: 3).finished(PaintedPicture(values)).image
    let levels = (0..<1600).map { (isBackground: $0 % 40 < 20, red: Int(image.pixels[$0 * 3])) }
    #expect(levels.allSatisfy { $0.isBackground ? (124...131).contains($0.red) : $0.red == 128 })
    #expect(Set(levels.filter(\.isBackground).map(\.red)).count > 3)
  }

  @Test("Sharpening changes edges within its limit and leaves flat places alone")
  func sharpening() {
    let image = PixelImage(width: 40, height: 40) { x, _ in x < 20 ? (60, 60, 60) : (180, 180, 180) }
    let picture = PaintedPicture(
      (0..<1600).map { Colour(repeating: $0 % 40 < 20 ? 60.0 / 255 : 180.0 / 255).replacingLast(0) })
    let sharp = Sharpener(amount: 0.5, limit: 8).finished(picture).image
    #expect(sharp.colour(5, 20) == image.colour(5, 20) && sharp.colour(35, 20) == image.colour(35, 20))
    #expect(sharp.colour(20, 20).0 > 180 && sharp.colour(19, 20).0 < 60)
    for (before, after) in zip(image.pixels, sharp.pixels) { #expect(abs(Int(before) - Int(after)) <= 8) }
  }

  @Test(
    "A face with few pixels is sharpened less, and one with very few not at all",
    arguments: [(400.0, 1.0), (200, 1), (150, 0.75), (120, 0.6), (119, 0), (40, 0)])
  func sharpness(faceWidth: Double, part: Double) {
    let amount = Sharpener.forFace(ofWidth: faceWidth).amount
    #expect(abs(amount - Sharpener().amount * Float(part)) < 1e-6)
  }
}

/// A picture that is already there.
private struct PaintedPicture: RowSource {
  var plane: Plane<Colour>

  init(_ values: [Colour]) { plane = Plane(width: 40, height: 40, values: values) }

  var width: Int { plane.width }
  var height: Int { plane.height }

  func write(row y: Int, into colours: inout [Colour], at start: Int) {
    for x in 0..<width { colours[start + x] = plane[x, y] }
  }
}

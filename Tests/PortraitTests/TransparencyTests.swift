import Testing

@testable import Portrait

@Suite("Photos with transparency")
struct TransparencyTests {
  private static let side = 64

  /// A red disc of `radius`, before blue that must not be seen.
  private static func disc(radius: Double, softness: Double = 1) -> PhotoRegion {
    func part(_ x: Int, _ y: Int) -> UInt8 {
      let (across, down) = (Double(x) - 31.5, Double(y) - 31.5)
      let distance = (across * across + down * down).squareRoot()
      return UInt8(255 * max(0, min(1, (radius - distance) / softness + 0.5)))
    }
    return PhotoRegion(
      image: PixelImage(width: side, height: side) { part($0, $1) > 0 ? (200, 30, 10) : (0, 0, 255) },
      area: Rectangle(x: 0, y: 0, width: 64, height: 64),
      opacity: PixelImage(width: side, height: side) { (part($0, $1), part($0, $1), part($0, $1)) })
  }

  @Test("The visible colours are continued under the transparent pixels, and keep")
  func continued() {
    let region = Self.disc(radius: 20, softness: 4).withContinuedColours()
    for (x, y) in [(32, 32), (32, 12), (50, 50), (0, 0), (63, 10)] {
      let colour = region.image.colour(x, y)
      #expect(abs(Int(colour.0) - 200) < 3 && abs(Int(colour.1) - 30) < 3 && abs(Int(colour.2) - 10) < 3)
    }
  }

  @Test("A photo whose alpha is opaque everywhere is one without alpha")
  func opaque() {
    var region = Self.disc(radius: 20)
    region.opacity = PixelImage(width: Self.side, height: Self.side) { _, _ in (255, 255, 255) }
    let plain = region.withContinuedColours()
    #expect(plain.opacity == nil && plain.image == region.image)
  }

  @Test("The networks see grey under transparent pixels")
  func grey() {
    let seen = Self.disc(radius: 20).withContinuedColours().seenByNetworks
    #expect(seen.colour(2, 2) == (128, 128, 128) && seen.colour(32, 32) == (200, 30, 10))
  }

  @Test("A region whose opacity has other sides is refused")
  func sides() {
    var region = Self.disc(radius: 20)
    let part = PixelRectangle(x: 0, y: 0, width: 64, height: 64)
    #expect(region.shows(part))
    region.opacity = PixelImage(width: 8, height: 8) { _, _ in (0, 0, 0) }
    #expect(!region.shows(part))
  }

  /// 128 × 128; visible where `isVisible`, the person where `isPerson`.
  private static func isCutOut(_ isVisible: (Int, Int) -> Bool, _ isPerson: (Int, Int) -> Bool) -> Bool {
    func plane(_ chosen: (Int, Int) -> Bool) -> Plane<Float> {
      Plane(width: 128, height: 128, values: (0..<128 * 128).map { chosen($0 % 128, $0 / 128) ? 1 : 0 })
    }
    let valid = [Bool](repeating: true, count: 128 * 128)
    return Transparency(opacity: plane(isVisible)).isCutOut(person: plane(isPerson), valid: valid)
  }

  private static func bust(_ x: Int, _ y: Int) -> Bool {
    let (across, down) = (x - 64, y - 50)
    return across * across + down * down < 24 * 24 || (y > 80 && abs(across) < 44)
  }

  private static func circle(_ x: Int, _ y: Int) -> Bool {
    let (across, down) = (x - 64, y - 64)
    return across * across + down * down < 62 * 62
  }

  @Test("The visible part is a cut-out if it is the person, and a framed photo if there is background too")
  func cutOut() {
    #expect(Self.isCutOut(Self.bust, Self.bust))
    #expect(Self.isCutOut(Self.bust) { Self.bust($0, $1) && $0 < 100 })
    #expect(!Self.isCutOut(Self.circle, Self.bust))
    #expect(!Self.isCutOut({ _, _ in true }, Self.bust))
    #expect(!Self.isCutOut({ _, _ in false }, Self.bust))
  }

  @Test("The photo of a cut-out ends below the body, that of a framed one all around")
  func photo() {
    let opacity = Plane<Float>(
      width: 128, height: 128, values: (0..<128 * 128).map { Self.bust($0 % 128, $0 / 128) && $0 < 100 * 128 ? 1 : 0 })
    let valid = [Bool](repeating: true, count: 128 * 128)
    let cutOut = Transparency(opacity: opacity).photo(valid, isCutOut: true)
    #expect(cutOut[5] && cutOut[99 * 128 + 2] && !cutOut[100 * 128 + 64])
    let framed = Transparency(opacity: opacity).photo(valid, isCutOut: false)
    #expect(!framed[5] && framed[99 * 128 + 64])
  }

  @Test("The opacities of a cut-out come out of the matte as they are", arguments: [0, 0.02, 0.25, 0.5, 0.8, 1] as [Float])
  func constant(opacity: Float) {
    let image = Plane<Colour>(width: 2, height: 2, repeating: Colour(0.3, 0.8, 0.1, 0))
    let matte = Transparency(opacity: Plane(width: 2, height: 2, repeating: opacity))
      .cutOut(image, valid: [true, true, true, true])
    let value = GuidedFilter.value(of: matte.coefficients.values[0], at: image.values[0])
    #expect(abs(EdgeCurve.opacity(value, looseness: matte.looseness.values[0]) - opacity) < 1e-3)
  }

  /// The astronaut, transparent outside the matte of her headshot's person or outside a circle.
  private static func astronaut(_ opacity: (Int, Int, PixelImage) -> UInt8) throws -> (HeadshotPlan, PhotoRegion) {
    let photo = try Fixtures.portrait("astronaut")
    let studio = try Studio()
    let plan = try studio.plan(
      for: try studio.locateFace(in: photo), photoWidth: photo.width, photoHeight: photo.height)
    var region = photo.region(of: plan)
    let image = region.image
    region.opacity = PixelImage(width: image.width, height: image.height) { x, y in
      let part = opacity(x + plan.region.x, y + plan.region.y, image)
      return (part, part, part)
    }
    return (plan, region)
  }

  @Test("A cut-out keeps its own edge, and an everyday background becomes a backdrop with a warning")
  func studio() throws {
    // Her head and shoulders, roughly.
    let (plan, region) = try Self.astronaut { x, y, _ in
      let (across, down) = (Double(x - 183) / 60, Double(y - 85) / 74)
      return across * across + down * down < 1 || (y > 125 && abs(x - 168) < min(120, 45 + y - 125)) ? 255 : 0
    }
    let studio = try Studio()
    let plain = try studio.composition(region: region, plan: plan, options: HeadshotOptions(background: .professional))
    let casual = try studio.composition(region: region, plan: plan, options: HeadshotOptions(background: .casual))
    #expect(casual.warnings.contains { $0.kind == .noBackground })
    #expect(!plain.warnings.contains { $0.kind == .noBackground })
    #expect(casual.image == plain.image)
    let opacities = plain.matte.opacity.values
    let solid = opacities.filter { $0 < 0.02 || $0 > 0.98 }
    #expect(Double(solid.count) / Double(opacities.count) > 0.96)
  }

  @Test("A photo in a round frame keeps its background, and the same square as without the frame")
  func round() throws {
    let (plan, region) = try Self.astronaut { x, y, _ in
      let (across, down) = (Double(x - 208), Double(y - 208))
      return across * across + down * down < 208 * 208 ? 255 : 0
    }
    let options = HeadshotOptions(background: .casual)
    let casual = try Studio().composition(region: region, plan: plan, options: options)
    let whole = try Studio().composition(
      region: PhotoRegion(image: region.image, area: region.area), plan: plan, options: options)
    #expect(casual.warnings == whole.warnings)
    // The face is where it is without the frame.
    let face = PixelRectangle(x: 420, y: 340, width: 200, height: 200)
    let (framed, plain) = (casual.image.cut(face).pixels, whole.image.cut(face).pixels)
    #expect(zip(framed, plain).filter { abs(Int($0) - Int($1)) > 12 }.count < framed.count / 50)
  }
}

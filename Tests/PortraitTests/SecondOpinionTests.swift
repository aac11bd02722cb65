import Testing

@testable import Portrait

@Suite("Correcting doubtful areas by two more networks")
struct SecondOpinionTests {
  private static let size = 256
  private static let face = Rectangle(x: 80, y: 60, width: 60, height: 80)
  private static let valid = [Bool](repeating: true, count: size * size)

  /// One colour, which says nothing.
  private static let image = Plane<Colour>(width: size, height: size, repeating: Colour(0.5, 0.5, 0.5, 0))

  private static func plane(_ value: (Int, Int) -> Float) -> Plane<Float> {
    Plane(width: size, height: size, values: (0..<size * size).map { value($0 % size, $0 / size) })
  }

  /// A person up to column 160, and beside it something that is kept half-heartedly.
  private static func scene(
    doubtful: Float = 0.6, columns: Range<Int> = 160..<200, rows: Range<Int> = 120..<180
  ) -> Plane<Float> {
    plane { x, y in columns.contains(x) && rows.contains(y) ? doubtful : x > 40 && x < 160 && y > 40 ? 1 : 0 }
  }

  /// - Parameter values: what the networks see in the doubtful area, when they see the person besides.
  private static func corrected(
    _ mean: Plane<Float>, of image: Plane<Colour> = image, salience: Float = 0.05, pose: Float = 0.3,
    valid: [Bool] = valid
  ) -> Plane<Float> {
    let doubt = mean.values.first { $0 > 0 && $0 < 1 } ?? 0
    let opinions = SecondarySegmenter.Opinions(
      salience: mean.map { $0 == doubt ? salience : $0 }, pose: mean.map { $0 == doubt ? pose : $0 })
    return SecondOpinion.corrected(mean, mean: mean, of: image, by: opinions, valid: valid, face: face)
  }

  @Test("A thick area is background where all three networks doubt it, and only there", arguments: [
    (0.6, 0.05, 0.3, false), (0.9, 0.15, 0.7, false), (0.95, 0.05, 0.3, true), (0.6, 0.3, 0.3, true), (0.6, 0.05, 0.8, true),
  ] as [(Float, Float, Float, Bool)])
  func kept(mean: Float, salience: Float, pose: Float, stays: Bool) {
    let result = Self.corrected(Self.scene(doubtful: mean), salience: salience, pose: pose)
    #expect(result[180, 150] == (stays ? mean : 0.05))
    #expect(result[100, 150] == 1 && result[230, 150] == 0)
  }

  @Test("An area that the three doubt together is background if it has the background's colours", arguments: [
    (0.95, 0.05, 0.3, 0.6, false), (0.6, 0.3, 0.3, 0.6, false), (0.6, 0.3, 0.3, 0.35, true), (0.6, 0.3, 0.3, 0.1, true),
    (0.95, 0.1, 0.6, 0.6, true),
  ] as [(Float, Float, Float, Float, Bool)])
  func together(mean: Float, salience: Float, pose: Float, area: Float, stays: Bool) {
    let scene = Self.scene(doubtful: mean)
    let image = Plane(
      width: Self.size, height: Self.size,
      values: scene.values.map { Colour(repeating: $0 == 0 ? 0.6 : $0 == 1 ? 0.1 : area).replacingLast(0) })
    let result = Self.corrected(scene, of: image, salience: salience, pose: pose)
    #expect(result[180, 150] == (stays ? mean : 0.05))
  }

  @Test("An area stays where it is thin, low in the picture, a part of the head, or enclosed by the person", arguments: [
    (160..<170, 120..<180), (160..<200, 220..<250), (95..<125, 30..<75), (90..<130, 160..<200),
  ])
  func exceptions(columns: Range<Int>, rows: Range<Int>) {
    let scene = Self.scene(columns: columns, rows: rows)
    #expect(Self.corrected(scene).values == scene.values)
  }

  @Test("An area stays where it has the person's colours rather than the background's, as dark hair has", arguments: [
    (0.1, 0.3, 0.1, true), (0.1, 0.3, 0.14, true), (0.1, 0.3, 0.29, false), (0.1, 0.3, 0.6, false), (0.6, 0.6, 0.6, false),
  ] as [(Float, Float, Float, Bool)])
  func colours(person: Float, behind: Float, area: Float, stays: Bool) {
    let scene = Self.scene()
    let image = Plane(
      width: Self.size, height: Self.size,
      values: scene.values.map { Colour(repeating: $0 == 0 ? behind : $0 == 1 ? person : area).replacingLast(0) })
    let result = Self.corrected(scene, of: image)
    #expect(result[180, 150] == (stays ? 0.6 : 0.05))
  }

  @Test("A network that misses most of the person is not heard", arguments: [true, false])
  func blindness(isSalience: Bool) {
    let mean = Self.scene()
    let sighted = mean.map { $0 == 1 ? Float(1) : 0 }
    // A face, and nothing of the dark clothes around it.
    let blind = Self.plane { x, y in Self.face.ellipseContains(x: Double(x), y: Double(y)) ? 1 : 0 }
    let opinions = SecondarySegmenter.Opinions(salience: isSalience ? blind : sighted, pose: isSalience ? sighted : blind)
    let result = SecondOpinion.corrected(mean, mean: mean, of: Self.image, by: opinions, valid: Self.valid, face: Self.face)
    #expect(result.values == mean.values)
  }

  @Test("A lost area beside the person that two networks see is the person, however large, but not a thin one", arguments: [
    (160..<256, 100..<256, true), (160..<250, 100..<250, true), (160..<230, 170..<190, true),
    (200..<256, 100..<256, false), (160..<230, 180..<184, false),
  ])
  func lost(columns: Range<Int>, rows: Range<Int>, isFound: Bool) {
    let mean = Self.plane { x, y in x > 40 && x < 160 && y > 40 ? 1 : 0 }
    let salience = Self.plane { x, y in columns.contains(x) && rows.contains(y) ? 0.97 : mean[x, y] }
    func corrected(pose: Plane<Float>) -> Plane<Float> {
      let opinions = SecondarySegmenter.Opinions(salience: salience, pose: pose)
      return SecondOpinion.corrected(mean, mean: mean, of: Self.image, by: opinions, valid: Self.valid, face: Self.face)
    }
    #expect(corrected(pose: salience)[220, 182] == (isFound ? 0.95 : 0))
    // A lamp stands out as well.
    #expect(corrected(pose: mean)[220, 182] == 0)
  }

  @Test("An area that no network sees is nobody, whatever its colours", arguments: [0, 0.05, 0.09] as [Float])
  func nobody(level: Float) {
    let mean = Self.plane { x, y in x > 40 && x < 160 && y > 40 ? 1 : level }
    let opinions = SecondarySegmenter.Opinions(salience: mean, pose: mean)
    let result = SecondOpinion.corrected(
      mean, mean: mean, of: Self.image, by: opinions, valid: Self.valid, face: Self.face)
    #expect(result.values.indices.allSatisfy { mean.values[$0] > 0.5 || result.values[$0] <= level })
  }

  @Test("A lost area with the background's colours stays lost")
  func lostColours() {
    let mean = Self.plane { x, y in x > 40 && x < 160 && y > 40 ? 1 : 0 }
    let salience = Self.plane { x, y in (160..<220).contains(x) && (100..<200).contains(y) ? 0.97 : mean[x, y] }
    let opinions = SecondarySegmenter.Opinions(salience: salience, pose: salience)
    func result(_ area: Float) -> Float {
      let image = Plane(width: Self.size, height: Self.size, values: mean.values.indices.map { index in
        Colour(repeating: mean.values[index] == 1 ? 0.1 : salience.values[index] > 0 ? area : 0.6).replacingLast(0)
      })
      return SecondOpinion.corrected(
        mean, mean: mean, of: image, by: opinions, valid: Self.valid, face: Self.face)[190, 150]
    }
    #expect(result(0.6) == 0 && result(0.1) == 0.95 && result(0.35) == 0.95)
  }

  @Test("The edge of a photo that ends inside the square cuts as well")
  func photoEdge() {
    let mean = Self.plane { x, y in x > 40 && x < 130 && y > 40 ? 1 : 0 }
    let salience = Self.plane { x, y in x >= 130 && x < 230 && y >= 100 && y < 240 ? 0.97 : mean[x, y] }
    let opinions = SecondarySegmenter.Opinions(salience: salience, pose: salience)
    let valid = (0..<Self.size * Self.size).map { $0 % Self.size < 230 }
    let result = SecondOpinion.corrected(mean, mean: mean, of: Self.image, by: opinions, valid: valid, face: Self.face)
    #expect(result[180, 180] == 0.95 && result[240, 180] == 0)
  }

  @Test("The networks are asked about thick uncertain areas, but not about an edge, nor where everybody stays")
  func doubt() {
    #expect(SecondOpinion.isWorthIt(for: Self.scene(), keepsEverybody: false))
    #expect(!SecondOpinion.isWorthIt(for: Self.scene(), keepsEverybody: true))
    let edge = Self.plane { x, _ in max(0, min(1, (160 - Float(x)) / 10)) }
    #expect(!SecondOpinion.isWorthIt(for: edge, keepsEverybody: false))
  }

  @Test("Both networks see the person of a photo, on the grid of the square that was asked for",
    arguments: ["astronaut", "grace_hopper"])
  func networks(portrait: String) throws {
    let photo = try Fixtures.portrait(portrait)
    let face = try Studio().locateFace(in: photo)
    let plan = try Studio().plan(for: face, photoWidth: photo.width, photoHeight: photo.height)
    let sampler = Sampler(image: photo)
    let (mean, _) = try PersonSegmenter().masks(of: plan.square, in: sampler, scales: [1.25, 1], size: 256)
    let centre = plan.square.position(of: plan.faceBox.centre)
    let (width, height) = (plan.faceBox.width / plan.square.side * 256, plan.faceBox.height / plan.square.side * 256)
    let box = Rectangle(x: centre.x * 256 - width / 2, y: centre.y * 256 - height / 2, width: width, height: height)
    let opinions = try SecondarySegmenter().opinions(on: plan.square, in: sampler, face: box, size: 256)
    for opinion in opinions.all {
      let sure = mean.values.indices.filter { mean.values[$0] > 0.98 || mean.values[$0] < 0.02 }
      let agreeing = sure.count { (opinion.values[$0] > 0.5) == (mean.values[$0] > 0.5) }
      #expect(Double(agreeing) > 0.93 * Double(sure.count))
    }
  }
}

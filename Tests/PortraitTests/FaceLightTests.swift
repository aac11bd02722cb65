import Glibc
import Support
import Testing

@testable import Portrait

@Suite("The light on a face")
struct FaceLightTests {
  @Test(
    "A face in the shade gains light; dark skin in ordinary light, and a face with highlights, stay as they are",
    arguments: [
      // Highlight and median, as measured on portraits: in the shade,
      (0.35, 0.27, 0.6...0.8), (0.39, 0.28, 0.5...0.75), (0.40, 0.31, 0.45...0.7), (0.49, 0.34, 0.1...0.35),
      // dark skin, in even and in directed light,
      (0.42, 0.22, 0...0.15), (0.52, 0.17, 0...0), (0.58, 0.30, 0...0), (0.66, 0.07, 0...0),
      // and ordinary faces.
      (0.70, 0.55, 0...0), (0.9, 0.6, 0...0),
    ] as [(Double, Double, ClosedRange<Double>)])
  func lift(highlight: Double, median: Double, expected: ClosedRange<Double>) {
    #expect(expected.contains(FaceLight(highlight: highlight, median: median).lift))
  }

  @Test(
    "A flat face gains light before a bright backdrop, and less before a darker one; dark skin in good light does not",
    arguments: [
      // Highlight, median, and backdrop: light from behind,
      (0.50, 0.35, 1, 0.6...0.7), (0.50, 0.35, 0.85, 0.6...0.7), (0.50, 0.35, 0.7, 0.3...0.45), (0.50, 0.35, 0.5, 0.1...0.2),
      (0.50, 0.35, nil, 0.1...0.2), (0.50, 0.33, 1, 0.3...0.4), (0.58, 0.42, 0.9, 0.3...0.4), (0.35, 0.27, 0.9, 0.8...0.8),
      // dark skin, in even and in directed light,
      (0.42, 0.22, 1, 0...0.1), (0.58, 0.37, 1, 0...0.02), (0.58, 0.30, 1, 0...0), (0.52, 0.17, 1, 0...0),
      (0.66, 0.07, 1, 0...0),
      // and ordinary faces.
      (0.70, 0.55, 1, 0...0), (0.66, 0.52, 0.9, 0...0.12), (0.9, 0.6, 1, 0...0),
    ] as [(Double, Double, Double?, ClosedRange<Double>)])
  func backlight(highlight: Double, median: Double, backdrop: Double?, expected: ClosedRange<Double>) {
    #expect(expected.contains(FaceLight(highlight: highlight, median: median, backdrop: backdrop).lift))
  }

  @Test("The lift is limited, whatever the face, and what is missing is known", arguments: 0..<100 as Range<UInt64>)
  func limited(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let median = Double.random(in: 0...1, using: &random)
    var light = FaceLight(highlight: .random(in: median...1, using: &random), median: median)
    let lift = light.lift
    light.backdrop = .random(in: 0...1, using: &random)
    #expect((lift...LightTuning.Face.maximumLift).contains(light.lift), "seed \(seed)")
    light.backdrop = nil
    #expect(light.isTooDark == (light.lack > light.lift), "seed \(seed)")
  }

  @Test(
    "A face in the dark is too dark, also where a lamp stands out on it; dark skin in good light is not",
    arguments: [
      // Highlight and median: a photo taken at night, evenly dark, with a lamp on one cheek, and nearly black;
      (0.30, 0.21, true), (0.33, 0.19, true), (0.28, 0.07, true), (0.24, 0.04, true), (0.12, 0.02, true),
      // dark skin in even and in directed light, and a face in the shade.
      (0.42, 0.22, false), (0.42, 0.12, false), (0.52, 0.17, false), (0.66, 0.07, false), (0.42, 0.31, false),
    ] as [(Double, Double, Bool)])
  func tooDark(highlight: Double, median: Double, expected: Bool) {
    #expect(FaceLight(highlight: highlight, median: median).isTooDark == expected)
  }

  @Test("The face alone is measured, not what is beside it")
  func measured() throws {
    var image = Plane<Colour>(width: 100, height: 100, repeating: Colour(repeating: 0.95))
    var opacity = Plane<Float>(width: 100, height: 100, repeating: 0)
    for y in 20..<80 {
      for x in 30..<70 {
        image[x, y] = Colour(repeating: y < 24 ? 0.5 : 0.3)
        opacity[x, y] = 1
      }
    }
    let face = Rectangle(x: 30, y: 24, width: 40, height: 56)
    let light = try #require(FaceLight(of: image, opacity: opacity, face: face))
    #expect(abs(light.highlight - 0.3) < 0.01 && abs(light.median - 0.3) < 0.01)
    #expect(FaceLight(of: image, opacity: opacity, face: Rectangle(x: 200, y: 0, width: 40, height: 40)) == nil)
    let hidden = Plane<Float>(width: 100, height: 100, repeating: 0)
    #expect(FaceLight(of: image, opacity: hidden, face: face) == nil)
  }

  @Test("A face of which much is nearly black is too dark; a black mask, sunglasses and dark skin are not", arguments: [
    (0..<50, 0..<100, true), (0..<100, 0..<56, true), (0..<100, 56..<100, false), (30..<70, 38..<48, false),
    (0..<36, 0..<100, false),
  ])
  func shade(columns: Range<Int>, rows: Range<Int>, expected: Bool) throws {
    var image = Plane<Colour>(width: 100, height: 100, repeating: Colour(repeating: 0.6))
    for y in rows { for x in columns { image[x, y] = Colour(repeating: 0.1) } }
    let opacity = Plane<Float>(width: 100, height: 100, repeating: 1)
    let face = Rectangle(x: 30, y: 24, width: 40, height: 56)
    #expect(try #require(FaceLight(of: image, opacity: opacity, face: face)).isTooDark == expected)
    let skin = Plane<Colour>(width: 100, height: 100, repeating: Colour(repeating: 0.2))
    var lit = skin
    for y in 30..<40 { for x in 40..<60 { lit[x, y] = Colour(repeating: 0.6) } }
    #expect(try !#require(FaceLight(of: lit, opacity: opacity, face: face)).isTooDark)
  }

  @Test("The side from which a face is lit is measured in stops",
    arguments: [(0.6, 0.3, -1.0), (0.3, 0.6, 1), (0.5, 0.5, 0)])
  func side(left: Float, right: Float, sign: Double) throws {
    var image = Plane<Colour>(width: 100, height: 100, repeating: Colour(repeating: left))
    for y in 0..<100 { for x in 50..<100 { image[x, y] = Colour(repeating: right) } }
    let opacity = Plane<Float>(width: 100, height: 100, repeating: 1)
    let face = Rectangle(x: 30, y: 24, width: 40, height: 56)
    let light = try #require(FaceLight(of: image, opacity: opacity, face: face))
    #expect(sign == 0 ? abs(light.side) < 0.1 : light.side * sign > 1.5)
  }

  @Test("A white wall does not darken a face, nor a dark room lighten one with highlights")
  func surroundings() {
    let wall = PhotoLight(median: 1, bright: 1, cast: SIMD3(1, 1, 1))
    let room = PhotoLight(median: 0.1, bright: 0.4, cast: SIMD3(1, 1, 1))
    let face = FaceLight(highlight: 0.82, median: 0.6)
    #expect(ToneCurve.exposure(for: wall) < -0.2 && ToneCurve.exposure(for: room) > 0.2)
    #expect(ToneCurve.exposure(for: wall, face: face) == 0 && ToneCurve.exposure(for: room, face: face) == 0)
    let pale = FaceLight(highlight: 0.99, median: 0.85)
    #expect(ToneCurve.exposure(for: wall, face: pale) < -0.2)
  }
}

import Testing

@testable import Portrait

@Suite("Resolving thick areas about which views disagree")
struct ViewDisagreementTests {
  private static let size = 128
  private static let face = Rectangle(x: 44, y: 30, width: 40, height: 50)

  private static func plane(_ value: (Int, Int) -> Float) -> Plane<Float> {
    Plane(width: size, height: size, values: (0..<size * size).map { value($0 % size, $0 / size) })
  }

  /// A person up to column 80, and beside it a patch up to column 110.
  private static func mean(patch: Float) -> Plane<Float> {
    plane { x, y in x < 80 ? 1 : x < 110 && y > 60 ? patch : 0 }
  }

  @Test("A thick area is what the two widest views take it for, and the widest counts more",
    arguments: [
      (0.3, 0.3, false), (0.6, 0.3, false), (0.3, 0.9, false), (0.7, 0.9, true), (0.9, 0.3, true), (1, 1, true),
    ] as [(Float, Float, Bool)])
  func patch(widest: Float, second: Float, isPerson: Bool) {
    for patch in [0.3, 0.5, 0.75] as [Float] {
      let mean = Self.mean(patch: patch)
      let views = [widest, second].map { view in Self.plane { x, y in mean[x, y] == patch ? view : mean[x, y] } }
      let resolved = ViewDisagreement.resolved(mean: mean, wide: (views[0], views[1]), face: Self.face)
      let found = resolved[95, 90]
      #expect(isPerson ? found > 0.8 : found < 0.3)
      #expect(resolved[40, 90] == 1 && resolved[120, 90] == 0)
    }
  }

  @Test("An area that the person nearly encloses is rather a gap than one that stands free")
  func enclosed() {
    func resolved(_ mean: Plane<Float>) -> Float {
      let view = mean.map { $0 == 0.5 ? Float(0.7) : $0 }
      return ViewDisagreement.resolved(mean: mean, wide: (view, view), face: Self.face)[70, 100]
    }
    // Below a shoulder, with the background around; and between two arms, open at the side.
    let free = resolved(Self.plane { x, y in y > 80 ? (x > 50 && x < 90 ? 0.5 : 0) : x < 80 ? 1 : 0 })
    let enclosed = resolved(Self.plane { x, y in x >= 90 ? 0 : x > 50 && y > 85 && y < 115 ? 0.5 : 1 })
    #expect(free > 0.8 && enclosed < 0.3)
  }

  @Test("The uncertainty along an edge stays as it is, also where the views disagree")
  func edge() {
    let mean = Self.plane { x, _ in max(0, min(1, (80 - Float(x)) / 10)) }
    let wide = Self.plane { x, _ in x < 70 ? 1 : 0 }
    #expect(ViewDisagreement.resolved(mean: mean, wide: (wide, wide), face: Self.face).values == mean.values)
  }

  @Test("Nothing of the face, and of the hair above it, is taken for background", arguments: [40, 18])
  func face(top: Int) {
    let mean = Self.plane { x, y in x >= 73 ? 0 : x > 55 && y > top && y < top + 20 ? 0.6 : 1 }
    let wide = mean.map { $0 == 0.6 ? Float(0.3) : $0 }
    let resolved = ViewDisagreement.resolved(mean: mean, wide: (wide, wide), face: Self.face)
    #expect(resolved.values == mean.values)
  }

  @Test("An area that borders only the person stays as it is: a print on a shirt is no hole")
  func inside() {
    let mean = Self.plane { x, y in x > 30 && x < 60 && y > 90 ? 0.4 : x < 80 ? 1 : 0 }
    let wide = mean.map { $0 == 0.4 ? Float(0) : $0 }
    #expect(ViewDisagreement.resolved(mean: mean, wide: (wide, wide), face: Self.face).values == mean.values)
  }
}

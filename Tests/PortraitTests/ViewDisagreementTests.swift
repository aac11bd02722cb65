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

  @Test("A thick area is what the widest view takes it for",
    arguments: [(0.3, false), (0.6, false), (0.7, false), (0.9, true), (1, true)] as [(Float, Bool)])
  func patch(widest: Float, isPerson: Bool) {
    for patch in [0.3, 0.5, 0.75] as [Float] {
      let mean = Self.mean(patch: patch)
      let wide = Self.plane { x, y in mean[x, y] == patch ? widest : mean[x, y] }
      let resolved = ViewDisagreement.resolved(mean: mean, widest: wide, face: Self.face)
      let found = resolved[95, 90]
      #expect(isPerson ? found > 0.9 : found < 0.2)
      #expect(resolved[40, 90] == 1 && resolved[120, 90] == 0)
    }
  }

  @Test("The uncertainty along an edge stays as it is, also where the views disagree")
  func edge() {
    let mean = Self.plane { x, _ in max(0, min(1, (80 - Float(x)) / 10)) }
    let wide = Self.plane { x, _ in x < 70 ? 1 : 0 }
    #expect(ViewDisagreement.resolved(mean: mean, widest: wide, face: Self.face).values == mean.values)
  }

  @Test("Nothing of the face, and of the hair above it, is taken for background", arguments: [40, 18])
  func face(top: Int) {
    let mean = Self.plane { x, y in x >= 73 ? 0 : x > 55 && y > top && y < top + 20 ? 0.6 : 1 }
    let wide = mean.map { $0 == 0.6 ? Float(0.3) : $0 }
    let resolved = ViewDisagreement.resolved(mean: mean, widest: wide, face: Self.face)
    #expect(resolved.values == mean.values)
  }

  @Test("An area that borders only the person stays as it is: a print on a shirt is no hole")
  func inside() {
    let mean = Self.plane { x, y in x > 30 && x < 60 && y > 90 ? 0.4 : x < 80 ? 1 : 0 }
    let wide = mean.map { $0 == 0.4 ? Float(0) : $0 }
    #expect(ViewDisagreement.resolved(mean: mean, widest: wide, face: Self.face).values == mean.values)
  }
}

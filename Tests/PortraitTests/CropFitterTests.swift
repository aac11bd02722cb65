import Support
import Testing

@testable import Portrait

@Suite("Fitting the square to where the photo ends")
struct CropFitterTests {
  static let size = 130
  /// 100 places are a side of the ideal square, from 15 to 115.
  static let field = 1.3

  /// A bust: a round head with its eyes at their height, shoulders below.
  static func person(shoulders: Int = 34) -> Plane<Float> {
    var plane = Plane<Float>(width: size, height: size, repeating: 0)
    for y in 0..<size {
      for x in 0..<size {
        let (dx, dy) = (Double(x) - 65, Double(y) - 56)
        let isHead = dx * dx / 400 + dy * dy / 676 < 1
        let isBody = y > 88 && abs(x - 65) < shoulders + (y - 88)
        plane[x, y] = isHead || isBody ? 1 : 0
      }
    }
    return plane
  }

  static func valid(left: Int = 0, right: Int = size, top: Int = 0, bottom: Int = size) -> [Bool] {
    (0..<size * size).map { index in
      let (x, y) = (index % size, index / size)
      return x >= left && x < right && y >= top && y < bottom
    }
  }

  @Test("A photo with room on all sides keeps the ideal square")
  func room() {
    let fitter = CropFitter(person: Self.person(), valid: Self.valid(), field: Self.field)
    #expect(fitter.adjustment() == CropFitter.Adjustment())
  }

  @Test("A photo that ends beside or above nobody keeps it too: the backdrop goes on")
  func emptyEdges() {
    let narrow = CropFitter(person: Self.person(shoulders: 10), valid: Self.valid(top: 22), field: Self.field)
    #expect(narrow.adjustment() == CropFitter.Adjustment())
  }

  @Test("A photo that ends at the chest moves the square up or shrinks it", arguments: [112, 108, 104, 100])
  func bottom(end: Int) {
    let valid = Self.valid(bottom: end)
    let adjustment = CropFitter(person: Self.person(), valid: valid, field: Self.field).adjustment()
    #expect(Self.bottomEdge(adjustment) <= Double(end) + 1.5)
    #expect(adjustment != CropFitter.Adjustment())
  }

  @Test("Shoulders cut by the photo's side lie on the square's edge", arguments: [20, 24, 28])
  func side(end: Int) {
    let valid = Self.valid(left: end)
    let adjustment = CropFitter(person: Self.person(), valid: valid, field: Self.field).adjustment()
    let middle = (0.5 + adjustment.right / Self.field) * Double(Self.size)
    let left = middle - adjustment.size * Double(Self.size) / Self.field / 2
    // Either the square begins where the photo does, or it ends above the place where the shoulder meets the edge.
    let meets = 88 + (65 - end) - 34
    #expect(left >= Double(end) - 1.5 || Self.bottomEdge(adjustment) <= Double(meets) + 1.5)
  }

  @Test("The square keeps to its limits and never shows a cut", arguments: 0..<40 as Range<UInt64>)
  func anywhere(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let valid = Self.valid(
      left: .random(in: 0...35, using: &random), right: .random(in: 95...Self.size, using: &random),
      top: .random(in: 0...32, using: &random), bottom: .random(in: 96...Self.size, using: &random))
    let person = Self.person(shoulders: .random(in: 12...45, using: &random))
    let adjustment = CropFitter(person: person, valid: valid, field: Self.field).adjustment()
    #expect(adjustment.size >= CropFitter.smallestSize && adjustment.size <= 1, "seed \(seed)")
    let eyes = 0.5 + (CropPlanner.eyeHeight - 0.5 - adjustment.down) / adjustment.size
    #expect((0.3...0.52).contains(eyes), "seed \(seed)")
    // Half the ideal square around the eyes always lies inside these photos, so there is always a way.
    #expect(Self.cut(person, valid, in: adjustment) <= 1, "seed \(seed)")
  }

  /// Places inside the square that the photo lacks beside places that show the person.
  private static func cut(_ person: Plane<Float>, _ valid: [Bool], in adjustment: CropFitter.Adjustment) -> Int {
    let half = adjustment.size / 2
    func places(_ shift: Double) -> Range<Int> {
      let first = (0.5 + (shift - half) / field) * Double(size)
      let last = first + 2 * half / field * Double(size)
      return max(1, Int(first.rounded(.up)))..<min(size - 1, Int(last.rounded(.down)))
    }
    var count = 0
    for y in places(adjustment.down) {
      for x in places(adjustment.right) where !valid[y * size + x] {
        let beside = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        if beside.contains(where: { valid[$0.1 * size + $0.0] && person[$0.0, $0.1] > 0.5 }) { count += 1 }
      }
    }
    return count
  }

  private static func bottomEdge(_ adjustment: CropFitter.Adjustment) -> Double {
    (0.5 + (adjustment.down + adjustment.size / 2) / field) * Double(size)
  }
}

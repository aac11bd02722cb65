import Glibc
import Support
import Testing

@testable import Portrait

@Suite("Light and colour")
struct LightTests {
  @Test("Neutral light is left alone")
  func neutral() {
    let curve = ToneCurve(for: .neutral)
    #expect(curve.exposure == 0 && curve.balance == SIMD3(1, 1, 1))
    for value in 0..<256 { #expect(abs(curve.red[value] - Float(value) / 255) < 1e-5) }
  }

  @Test("The correction is gentle and keeps order, whatever the light", arguments: 0..<100 as Range<UInt64>)
  func gentle(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    let light = PhotoLight(
      median: number(0...1), bright: number(0...1), cast: SIMD3(number(0.3...2), number(0.3...2), number(0.3...2)))
    let curve = ToneCurve(for: light)
    #expect(abs(curve.exposure) <= LightTuning.Tone.maximumExposure, "seed \(seed)")
    for channel in 0..<3 { #expect(abs(curve.balance[channel] - 1) < 0.14, "seed \(seed)") }
    for table in [curve.red, curve.green, curve.blue] {
      #expect(zip(table, table.dropFirst()).allSatisfy { $0 <= $1 }, "seed \(seed)")
      #expect(table.allSatisfy { $0 >= 0 && $0 <= 1 }, "seed \(seed)")
      #expect(table[0] == 0, "seed \(seed)")
    }
  }

  @Test("A dark photo gains light, a pale one loses some", arguments: [(0.4, 1.0), (0.95, -1.0)])
  func direction(level: Double, sign: Double) {
    let byte = UInt8(level * 255)
    let light = PhotoLight(measuring: PixelImage(width: 40, height: 40) { _, _ in (byte, byte, byte) })
    #expect(abs(light.median - level) < 0.01)
    #expect(ToneCurve.exposure(for: light) * sign > 0.05)
  }

  @Test("A bluish photo is warmed, a strongly coloured one is not judged")
  func cast() {
    let bluish = PhotoLight(measuring: PixelImage(width: 40, height: 40) { _, _ in (120, 124, 134) })
    let balance = ToneCurve.balance(for: bluish)
    #expect(balance.x > 1.01 && balance.z < 0.99)
    let red = PhotoLight(measuring: PixelImage(width: 40, height: 40) { _, _ in (200, 30, 20) })
    #expect(red.cast == SIMD3(1, 1, 1))
  }

  @Test("Skin decides nothing: the same scene with dark and with light skin is corrected alike")
  func skin() {
    func scene(_ face: (UInt8, UInt8, UInt8)) -> PhotoLight {
      PhotoLight(
        measuring: PixelImage(width: 100, height: 100) { x, y in
          if (40..<60).contains(x), (30..<60).contains(y) { return face }
          let grey = UInt8(20 + 22 * x / 10)
          return (grey, grey, grey)
        })
    }
    let dark = ToneCurve(for: scene((70, 45, 35)))
    let light = ToneCurve(for: scene((235, 200, 180)))
    #expect(abs(dark.exposure - light.exposure) < 0.06)
    #expect(abs(dark.balance.x - light.balance.x) < 0.02)
  }
}

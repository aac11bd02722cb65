import Glibc

/// A gentle correction of light and colour: at most ±0.3 EV and a few percent of white balance.
///
/// Judged by the whole photo, never by the skin: nobody is made lighter or darker than the light makes them.
struct ToneCurve {
  static let maximumExposure = 0.3
  static let maximumBalance = 0.06

  /// In stops.
  let exposure: Double
  /// Factors of linear red, green and blue.
  let balance: SIMD3<Double>
  /// For each 8-bit value the corrected one, 0…1 gamma-coded.
  let red: [Float]
  let green: [Float]
  let blue: [Float]

  init(for light: PhotoLight) {
    exposure = Self.exposure(for: light)
    balance = Self.balance(for: light)
    let gain = exp2(exposure)
    let factors = balance * gain
    func table(_ factor: Double) -> [Float] {
      (0..<256).map { value in
        Float(Self.encode(Self.rollOff(Self.decode(Double(value) / 255) * factor, gain: factor)))
      }
    }
    red = table(factors.x)
    green = table(factors.y)
    blue = table(factors.z)
  }

  static func exposure(for light: PhotoLight) -> Double {
    let bright = max(0.05, light.bright)
    let median = max(0.05, light.median)
    // A dark photo lacks bright parts; a pale one has a high middle. Half of the difference is corrected.
    let lack = bright < 0.8 ? 2.2 * log2(0.85 / bright) : 0
    let excess = median > 0.7 ? -2.2 * log2(median / 0.62) : 0
    return max(-maximumExposure, min(maximumExposure, 0.5 * (lack + excess)))
  }

  static func balance(for light: PhotoLight) -> SIMD3<Double> {
    var factors = SIMD3<Double>(repeating: 1)
    for channel in 0..<3 {
      let gain = pow(max(0.2, light.cast[channel]), -2.2 * 0.5)
      factors[channel] = max(1 - maximumBalance, min(1 + maximumBalance, gain))
    }
    return factors / factors.y
  }

  /// Keeps highlights from clipping when light is added.
  private static func rollOff(_ value: Double, gain: Double) -> Double {
    guard gain > 1, value > 0.5 else { return min(1, value) }
    // From the point (0.5, 0.5) with slope 1 to (gain, 1).
    let t = (value - 0.5) / (gain - 0.5)
    let slope = (gain - 0.5) / 0.5
    return min(1, 0.5 + 0.5 * (slope * t / (1 + (slope - 1) * t)))
  }

  /// sRGB, IEC 61966-2-1.
  static func decode(_ value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  static func encode(_ value: Double) -> Double {
    value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
  }
}

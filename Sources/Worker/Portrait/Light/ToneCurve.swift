import Glibc

/// A gentle correction of light and colour: at most ±0.3 EV and a few percent of white balance, more only for a face in
/// the shade.
///
/// It is derived from the whole photo and from the highlights of the face, never from the level of the skin, so that it
/// does not lighten or darken anyone's skin tone.
struct ToneCurve {
  private typealias Tuning = LightTuning.Tone

  /// In stops.
  let exposure: Double
  /// Factors of linear red, green and blue.
  let balance: SIMD3<Double>
  /// The corrected value for each 8-bit value, 0…1 gamma-coded.
  let red: [Float]
  let green: [Float]
  let blue: [Float]

  /// - Parameter face: the light on the face, if it could be measured.
  init(for light: PhotoLight, face: FaceLight? = nil) {
    exposure = Self.exposure(for: light, face: face)
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

  /// The corrected colour, without its fourth number.
  /// - Parameter colour: gamma-coded, each channel 0…1.
  @inline(__always)
  func corrected(_ colour: Colour) -> Colour {
    Colour(
      Self.value(in: red, at: colour.x), Self.value(in: green, at: colour.y), Self.value(in: blue, at: colour.z), 0)
  }

  /// The corrected value for a value between 8-bit ones, 0…1.
  @inline(__always)
  private static func value(in table: [Float], at value: Float) -> Float {
    let place = value * 255
    let low = min(254, Int(place))
    return table[low] + (table[low + 1] - table[low]) * (place - Float(low))
  }

  static func exposure(for light: PhotoLight, face: FaceLight?) -> Double {
    let photo = exposure(for: light)
    guard let face else { return photo }
    // A dark room or a white wall says nothing against the light on the person: the photo's correction applies as far
    // as the highlights of the face agree with it.
    let agreement =
      photo > 0
      ? (Tuning.agreement.more.none - face.highlight) / Tuning.agreement.more.full
      : (face.highlight - Tuning.agreement.less.none) / Tuning.agreement.less.full
    let agreed = photo * max(0, min(1, agreement))
    return face.lift > 0 ? max(agreed, face.lift) : agreed
  }

  /// What the whole photo asks for, in stops.
  static func exposure(for light: PhotoLight) -> Double {
    let bright = max(Tuning.least.level, light.bright)
    let median = max(Tuning.least.level, light.median)
    // A dark photo lacks bright parts; a pale one has a high middle.
    let lack = bright < Tuning.dark.from ? Tuning.gamma * log2(Tuning.dark.to / bright) : 0
    let excess = median > Tuning.pale.from ? -Tuning.gamma * log2(median / Tuning.pale.to) : 0
    return max(-Tuning.maximumExposure, min(Tuning.maximumExposure, Tuning.part * (lack + excess)))
  }

  static func balance(for light: PhotoLight) -> SIMD3<Double> {
    var factors = SIMD3<Double>(repeating: 1)
    for channel in 0..<3 {
      let gain = pow(max(Tuning.least.cast, light.cast[channel]), -Tuning.gamma * Tuning.part)
      factors[channel] = max(1 - Tuning.maximumBalance, min(1 + Tuning.maximumBalance, gain))
    }
    return factors / factors.y
  }

  /// Keeps highlights from clipping when light is added.
  private static func rollOff(_ value: Double, gain: Double) -> Double {
    let knee = Tuning.knee
    guard gain > 1, value > knee else { return min(1, value) }
    // From the point (knee, knee) with slope 1 to (gain, 1).
    let t = (value - knee) / (gain - knee)
    let slope = (gain - knee) / (1 - knee)
    return min(1, knee + (1 - knee) * (slope * t / (1 + (slope - 1) * t)))
  }

  /// sRGB, IEC 61966-2-1.
  static func decode(_ value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  static func encode(_ value: Double) -> Double {
    value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
  }
}

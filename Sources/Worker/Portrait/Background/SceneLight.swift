import Glibc

/// The brightness of the photo's background, how it slopes across the picture, and a hint of its colour, as a backdrop
/// takes them up.
struct SceneLight {
  private typealias Tuning = BackgroundTuning.Scene

  /// The luma of the backdrop, an even slope within ``BackgroundTuning/Scene/range``.
  let levels: Plane<Float>
  /// The factor of each channel.
  let tint: Colour

  /// - Parameters:
  ///   - scene: gamma-coded colours; the fourth number is 1 where the background is visible, and 0 elsewhere.
  ///   - tone: the correction that the person's colours get: what is left of the background gets it too.
  ///   - faceSide: by how many stops the right half of the face is brighter than the left: the backdrop is brighter on the
  ///     same side.
  /// - Returns: nil if hardly any background is visible.
  init?(of scene: Plane<Colour>, tone: ToneCurve, faceSide: Double = 0) {
    var weighted = scene.map { ($0 * $0.w).replacingLast($0.w) }
    while weighted.width > Tuning.side { weighted = weighted.halved() }
    let sum = weighted.values.reduce(Colour.zero, +)
    guard sum.w > Tuning.leastPart * Float(weighted.values.count) else { return nil }
    let light = SoftFocusBackground.fill(weighted).map { Self.stops(tone.corrected($0).luma) }
    levels = Self.slope(of: light, faceSide: Float(faceSide))
    let mean = tone.corrected(sum / sum.w)
    let colour = (mean / max(mean.luma, 0.01) - 1).replacingLast(0) * Tuning.colour.part
    tint = 1 + colour * min(1, Tuning.colour.most / max((colour * colour).sum().squareRoot(), 1e-6))
  }

  /// The plane with the same mean and the same slopes, but none steeper than a studio's.
  private static func slope(of light: Plane<Float>, faceSide: Float) -> Plane<Float> {
    let (width, height) = (light.width, light.height)
    /// From the middle, in sides of the picture.
    func place(_ line: Int, _ length: Int) -> Float { (Float(line) + 0.5) / Float(length) - 0.5 }
    var (mean, across, down, spread): (Float, Float, Float, Float) = (0, 0, 0, 0)
    for y in 0..<height {
      for x in 0..<width {
        let value = light[x, y]
        mean += value
        across += value * place(x, width)
        down += value * place(y, height)
        spread += place(x, width) * place(x, width)
      }
    }
    mean /= Float(width * height)
    func limited(_ sum: Float) -> Float { max(-Tuning.slope, min(Tuning.slope, sum / max(spread, 1e-6))) }
    var right = limited(across)
    if abs(faceSide) > Tuning.faceSide { right = abs(right) * (faceSide < 0 ? -1 : 1) }
    let below = limited(down)
    var result = light
    for y in 0..<height {
      for x in 0..<width {
        let level = Self.luma(mean + right * place(x, width) + below * place(y, height))
        result[x, y] = min(Tuning.range.upperBound, max(Tuning.range.lowerBound, level))
      }
    }
    return result
  }

  /// The light of a gamma-coded luma, in stops below white, and the way back.
  private static func stops(_ luma: Float) -> Float { Tuning.gamma * log2f(max(luma, 0.01)) }
  private static func luma(_ stops: Float) -> Float { exp2f(stops / Tuning.gamma) }

  var isDark: Bool { levels.values.reduce(0, +) < Tuning.dark * Float(levels.values.count) }
}

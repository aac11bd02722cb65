import Glibc

/// The brightness of the photo's background across the picture, and a hint of its colour, as a backdrop takes them up.
struct SceneLight {
  private typealias Tuning = BackgroundTuning.Scene

  /// The luma of the backdrop, very soft, within ``BackgroundTuning/Scene/range``.
  let levels: Plane<Float>
  /// The factor of each channel.
  let tint: Colour

  /// - Parameters:
  ///   - scene: gamma-coded colours; the fourth number is 1 where the background is visible, and 0 elsewhere.
  ///   - tone: the correction that the person's colours get: what is left of the background gets it too.
  /// - Returns: nil if hardly any background is visible.
  init?(of scene: Plane<Colour>, tone: ToneCurve) {
    var weighted = scene.map { ($0 * $0.w).replacingLast($0.w) }
    while weighted.width > Tuning.side { weighted = weighted.halved() }
    let sum = weighted.values.reduce(Colour.zero, +)
    guard sum.w > Tuning.leastPart * Float(weighted.values.count) else { return nil }
    var filled = SoftFocusBackground.fill(weighted)
    for _ in 0..<3 { filled = BoxBlur.apply(filled, radius: Tuning.radius) }
    levels = filled.map { min(Tuning.range.upperBound, max(Tuning.range.lowerBound, tone.corrected($0).luma)) }
    let mean = tone.corrected(sum / sum.w)
    let colour = (mean / max(mean.luma, 0.01) - 1).replacingLast(0) * Tuning.colour.part
    tint = 1 + colour * min(1, Tuning.colour.most / max((colour * colour).sum().squareRoot(), 1e-6))
  }

  var isDark: Bool { levels.values.reduce(0, +) < Tuning.dark * Float(levels.values.count) }
}

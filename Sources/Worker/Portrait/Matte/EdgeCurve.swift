/// How the guided filter's value becomes an opacity at different kinds of edges.
///
/// Values near 0 and 1 become 0 and 1, so that no haze remains in the background and no hole in the person. At the solid
/// edge of skin and clothes, the curve sets in later: the outermost pixels hold the old background's colour. Single hairs
/// before an even background keep their faint opacities.
enum EdgeCurve {
  private typealias Tuning = MatteTuning.EdgeCurve

  /// The looseness of hair whose background is not even.
  static let usual: Float = 0.5
  /// The looseness of which opacities are proportional to values.
  static let proportional: Float = 1

  /// - Parameter looseness: 0 at a solid edge, ``usual`` in hair, 1 in hair before an even background.
  @inline(__always)
  static func opacity(_ value: Float, looseness: Float) -> Float {
    let (low, high) = looseness < usual ? (Tuning.solid, Tuning.hair) : (Tuning.hair, Tuning.single)
    let part = (looseness < usual ? looseness : looseness - usual) / usual
    let from = low.from + (high.from - low.from) * part
    let to = low.to + (high.to - low.to) * part
    let t = min(1, max(0, (value - from) / (to - from)))
    let smooth = t * t * (3 - 2 * t)
    return looseness > usual ? smooth + (t - smooth) * part : smooth
  }

  /// The value that becomes this opacity where the looseness is ``proportional``.
  static func value(ofProportional opacity: Float) -> Float {
    Tuning.single.from + (Tuning.single.to - Tuning.single.from) * min(1, max(0, opacity))
  }
}

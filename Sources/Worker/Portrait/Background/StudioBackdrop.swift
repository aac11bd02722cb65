import Glibc

/// A painted studio backdrop: one colour, a soft pool of light behind the head, darker towards the corners.
///
/// The first one is as bright as the background that it replaces, within limits: what is left of that between hairs is
/// hardly seen then, and dark hair in dim light needs no exact edge. The others have colours of their own.
struct StudioBackdrop {
  /// Gamma-coded colours of the lit centre and of the corners, and the centre of the light as a part of the side, 0…1.
  struct Tone {
    var middle: Colour
    var corner: Colour
    var light: Point
    var reach: Float

    /// How far the light has fallen off, 0…1: even in the middle, a long soft fall.
    func fall(_ across: Float, _ down: Float) -> Float {
      let distance = min(1, hypotf(across - Float(light.x), (down - Float(light.y)) * 0.92) / reach)
      return distance * distance * (3 - 2 * distance)
    }
  }

  /// The first backdrop of a person without a background to be seen.
  static let neutral = Tone(
    middle: Colour(0.800, 0.802, 0.806, 0), corner: Colour(0.530, 0.534, 0.542, 0),
    light: Point(x: 0.46, y: 0.36), reach: 0.86)
  /// The others, in the order of the variations: cool blue grey, warm taupe, charcoal.
  static let tones = [
    Tone(
      middle: Colour(0.640, 0.690, 0.742, 0), corner: Colour(0.330, 0.383, 0.445, 0),
      light: Point(x: 0.56, y: 0.38), reach: 0.84),
    Tone(
      middle: Colour(0.760, 0.712, 0.656, 0), corner: Colour(0.468, 0.418, 0.366, 0),
      light: Point(x: 0.44, y: 0.40), reach: 0.84),
    Tone(
      middle: Colour(0.375, 0.382, 0.396, 0), corner: Colour(0.125, 0.130, 0.140, 0),
      light: Point(x: 0.55, y: 0.40), reach: 0.80),
  ]
  /// A backdrop that follows the photo is brighter than the photo's background in the middle of its light, and darker in the
  /// corners, by so much altogether. Where the outline of a head usually is, both are the same.
  private static let vignette = (depth: Float(0.22), same: Float(0.25))

  /// - Parameters:
  ///   - variation: 0…3; other numbers come round again.
  ///   - scene: the background that is replaced, if the photo shows any.
  ///   - dimming: makes backdrops that do not follow the photo darker, 0…1.
  static func paint(variation: Int, scene: SceneLight?, dimming: Float = 1, size: Int) -> Plane<Colour> {
    let count = tones.count + 1
    let place = (variation % count + count) % count
    if place == 0, let scene { return following(scene, size: size) }
    // Next to a first backdrop that is dark, the last one is the light one.
    let isNeutral = place == 0 || place == tones.count && scene?.isDark == true
    let tone = isNeutral ? neutral : tones[place - 1]
    return painted(size: size) { across, down in
      (tone.middle + (tone.corner - tone.middle) * tone.fall(across, down)) * dimming
    }
  }

  private static func following(_ scene: SceneLight, size: Int) -> Plane<Colour> {
    let levels = scene.levels.resized(width: size, height: size)
    return painted(size: size) { across, down in
      let level = levels[Int(across * Float(size)), Int(down * Float(size))]
      let light = 1 + vignette.depth * (vignette.same - neutral.fall(across, down))
      return scene.tint * level * light
    }
  }

  /// - Parameter colour: at each place of the picture, 0…1 across and down.
  private static func painted(size: Int, _ colour: (Float, Float) -> Colour) -> Plane<Colour> {
    var plane = Plane<Colour>(width: size, height: size, repeating: .zero)
    for y in 0..<size {
      for x in 0..<size {
        let (across, down) = ((Float(x) + 0.5) / Float(size), (Float(y) + 0.5) / Float(size))
        plane[x, y] = (colour(across, down) + cloud(across, down) * 0.012).clampedToUnit
      }
    }
    return plane
  }

  /// The unevenness of painted cloth, −1…1, at low spatial frequencies.
  private static func cloud(_ x: Float, _ y: Float) -> Float {
    sinf(x * 5.1 + 1.3 * sinf(y * 3.7 + 0.6)) * 0.5 + sinf(y * 6.3 + 1.7 * sinf(x * 4.4 + 2.1)) * 0.5
  }
}

/// The brightness of the photo's background across the picture, and a hint of its colour, as a backdrop takes them up.
struct SceneLight {
  /// The luma of the backdrop, very soft, within ``range``.
  let levels: Plane<Float>
  /// The factor of each channel.
  let tint: Colour

  /// A studio has no blacker and no whiter backdrops.
  private static let range: ClosedRange<Float> = 0.16...0.9
  /// The part of the background's mean colour that is taken up, and the most of it, over all channels together.
  private static let colour = (part: Float(0.5), most: Float(0.07))
  /// The side at which the brightness is averaged, and three times over how many pixels to either side: so far that no
  /// window and no shelf is recognised.
  private static let side = 64
  private static let radius = 12
  /// Less background, as a part of the picture, says nothing.
  private static let leastPart: Float = 0.01
  /// A backdrop below this luma looks dark.
  private static let dark: Float = 0.5

  /// - Parameters:
  ///   - scene: gamma-coded colours; the fourth number is 1 where the background is visible, and 0 elsewhere.
  ///   - tone: the correction that the person's colours get: what is left of the background gets it too.
  /// - Returns: nil if hardly any background is visible.
  init?(of scene: Plane<Colour>, tone: ToneCurve) {
    var weighted = scene.map { ($0 * $0.w).replacingLast($0.w) }
    while weighted.width > Self.side { weighted = weighted.halved() }
    let sum = weighted.values.reduce(Colour.zero, +)
    guard sum.w > Self.leastPart * Float(weighted.values.count) else { return nil }
    var filled = SoftFocusBackground.fill(weighted)
    for _ in 0..<3 { filled = BoxBlur.apply(filled, radius: Self.radius) }
    levels = filled.map { min(Self.range.upperBound, max(Self.range.lowerBound, tone.corrected($0).luma)) }
    let mean = tone.corrected(sum / sum.w)
    let colour = (mean / max(mean.luma, 0.01) - 1).replacingLast(0) * Self.colour.part
    tint = 1 + colour * min(1, Self.colour.most / max((colour * colour).sum().squareRoot(), 1e-6))
  }

  var isDark: Bool { levels.values.reduce(0, +) < Self.dark * Float(levels.values.count) }
}

/// Grain that depends on the position only, so that the same photo always gives the same picture.
enum Noise {
  /// −1…1, uniformly distributed.
  @inline(__always)
  static func value(_ x: Int, _ y: Int) -> Float {
    var hash = UInt32(truncatingIfNeeded: x) &* 0x9E37_79B1 ^ UInt32(truncatingIfNeeded: y) &* 0x85EB_CA77
    hash = (hash ^ hash >> 15) &* 0x2C1B_3C6D
    hash = (hash ^ hash >> 12) &* 0x297A_2D39
    hash ^= hash >> 15
    return Float(hash >> 8) * (2 / 16_777_216) - 1
  }

  /// The sum of two uniform values has a triangular distribution: dither without a pattern.
  @inline(__always)
  static func triangle(_ x: Int, _ y: Int) -> Float {
    (value(x, y) + value(x &+ 7919, y &+ 104_729)) * 0.5
  }
}

import Glibc

/// A painted studio backdrop: one colour, a soft pool of light behind the head, darker towards the corners.
///
/// The first one is as bright as the background that it replaces, within limits: what is left of that between hairs is
/// hardly seen then, and dark hair in dim light needs no exact edge. The others have colours of their own.
struct StudioBackdrop {
  private typealias Tuning = BackgroundTuning.Backdrop

  /// Gamma-coded colours of the lit centre and of the corners, and the centre of the light as a part of the side, 0…1.
  struct Tone {
    var middle: Colour
    var corner: Colour
    var light: Point
    var reach: Float

    /// How far the light has fallen off, 0…1: even in the middle, a long soft fall.
    func fall(_ across: Float, _ down: Float) -> Float {
      let below = (down - Float(light.y)) * BackgroundTuning.Backdrop.flatness
      let distance = min(1, hypotf(across - Float(light.x), below) / reach)
      return distance * distance * (3 - 2 * distance)
    }
  }

  /// - Parameters:
  ///   - variation: 0…3; other numbers come round again.
  ///   - scene: the background that is replaced, if the photo shows any.
  ///   - dimming: makes backdrops that do not follow the photo darker, 0…1.
  static func paint(variation: Int, scene: SceneLight?, dimming: Float = 1, size: Int) -> Plane<Colour> {
    let count = Tuning.tones.count + 1
    let place = (variation % count + count) % count
    if place == 0, let scene { return following(scene, size: size) }
    // Next to a first backdrop that is dark, the last one is the light one.
    let isNeutral = place == 0 || place == Tuning.tones.count && scene?.isDark == true
    let tone = isNeutral ? Tuning.neutral : Tuning.tones[place - 1]
    return painted(size: size) { across, down in
      (tone.middle + (tone.corner - tone.middle) * tone.fall(across, down)) * dimming
    }
  }

  private static func following(_ scene: SceneLight, size: Int) -> Plane<Colour> {
    let levels = scene.levels.resized(width: size, height: size)
    return painted(size: size) { across, down in
      let level = levels[Int(across * Float(size)), Int(down * Float(size))]
      let light = 1 + Tuning.vignette.depth * (Tuning.vignette.same - Tuning.neutral.fall(across, down))
      return scene.tint * level * light
    }
  }

  /// - Parameter colour: at each place of the picture, 0…1 across and down.
  private static func painted(size: Int, _ colour: (Float, Float) -> Colour) -> Plane<Colour> {
    var plane = Plane<Colour>(width: size, height: size, repeating: .zero)
    for y in 0..<size {
      for x in 0..<size {
        let (across, down) = ((Float(x) + 0.5) / Float(size), (Float(y) + 0.5) / Float(size))
        plane[x, y] = (colour(across, down) + cloud(across, down) * Tuning.cloth).clampedToUnit
      }
    }
    return plane
  }

  /// The unevenness of painted cloth, −1…1, at low spatial frequencies.
  private static func cloud(_ x: Float, _ y: Float) -> Float {
    sinf(x * 5.1 + 1.3 * sinf(y * 3.7 + 0.6)) * 0.5 + sinf(y * 6.3 + 1.7 * sinf(x * 4.4 + 2.1)) * 0.5
  }
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

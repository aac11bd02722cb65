import Glibc

/// A painted studio backdrop: one colour, a soft pool of light behind the head, darker towards the corners.
struct StudioBackdrop {
  /// Gamma-coded colours of the lit centre and of the corners, and the centre of the light as a part of the side, 0…1.
  struct Tone {
    var middle: Colour
    var corner: Colour
    var light: Point
    var reach: Float
  }

  /// In the order of the variations: neutral grey, cool blue grey, warm taupe, charcoal.
  static let tones = [
    Tone(
      middle: Colour(0.800, 0.802, 0.806, 0), corner: Colour(0.530, 0.534, 0.542, 0),
      light: Point(x: 0.46, y: 0.36), reach: 0.86),
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

  /// The backdrop at a quarter of the final size; it has no finer detail.
  static func paint(variation: Int, size: Int) -> Plane<Colour> {
    let tone = tones[((variation % tones.count) + tones.count) % tones.count]
    var plane = Plane<Colour>(width: size, height: size, repeating: .zero)
    for y in 0..<size {
      for x in 0..<size {
        let across = (Float(x) + 0.5) / Float(size)
        let down = (Float(y) + 0.5) / Float(size)
        let distance = hypotf(across - Float(tone.light.x), (down - Float(tone.light.y)) * 0.92) / tone.reach
        let clamped = min(1, distance)
        // Even light in the middle, a long soft fall.
        let fall = clamped * clamped * (3 - 2 * clamped)
        let cloth = cloud(across, down) * 0.012
        plane[x, y] = tone.middle + (tone.corner - tone.middle) * fall + cloth
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

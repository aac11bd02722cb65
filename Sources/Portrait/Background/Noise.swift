/// Grain that is the same for the same place, so the same photo always gives the same picture.
enum Noise {
  /// −1…1, even in its distribution.
  @inline(__always)
  static func value(_ x: Int, _ y: Int) -> Float {
    var hash = UInt32(truncatingIfNeeded: x) &* 0x9E37_79B1 ^ UInt32(truncatingIfNeeded: y) &* 0x85EB_CA77
    hash = (hash ^ hash >> 15) &* 0x2C1B_3C6D
    hash = (hash ^ hash >> 12) &* 0x297A_2D39
    hash ^= hash >> 15
    return Float(hash >> 8) * (2 / 16_777_216) - 1
  }

  /// Two even draws make a triangle: dither without a pattern.
  @inline(__always)
  static func triangle(_ x: Int, _ y: Int) -> Float {
    (value(x, y) + value(x &+ 7919, y &+ 104_729)) * 0.5
  }
}

import Glibc
import Support
import Testing

@testable import Portrait

/// A drawn figure before a drawn background, whose opacity is known exactly.
struct DrawnScene: Sendable, CustomTestStringConvertible {
  var name: String
  /// The most that the matte may differ from the truth: the mean over all pixels, of 1.
  var tolerance: Float
  var person: @Sendable (Float, Float) -> Colour
  var background: @Sendable (Float, Float) -> Colour
  /// The exact opacity at a point in pixels.
  var opacity: @Sendable (Float, Float) -> Float

  var testDescription: String { name }

  static let size = MatteBuilder.size
  static let head = Rectangle(x: 186, y: 140, width: 140, height: 180)

  var truth: Plane<Float> { Self.drawn { max(0, min(1, opacity($0, $1))) } }

  /// Mixed in gamma-coded values, as the matting model assumes.
  var image: Plane<Colour> {
    Self.drawn { x, y in
      let alpha = max(0, min(1, opacity(x, y)))
      return (person(x, y) * alpha + background(x, y) * (1 - alpha)).replacingLast(0)
    }
  }

  /// What the networks would say: the truth without fine detail.
  var mask: Plane<Float> { BoxBlur.smooth(truth, radius: 5) }

  func matte() -> Matte {
    MatteBuilder.matte(
      image: image, mask: mask, valid: [Bool](repeating: true, count: Self.size * Self.size),
      faces: FacesInView(wanted: Self.head, others: []))
  }

  private static func drawn<Value>(_ value: (Float, Float) -> Value) -> Plane<Value> {
    let values = (0..<size * size).map { value(Float($0 % size) + 0.5, Float($0 / size) + 0.5) }
    return Plane(width: size, height: size, values: values)
  }

  static let all = [
    DrawnScene(
      name: "figure before a plain wall", tolerance: 0.0008, person: skin, background: { _, _ in wall },
      opacity: { figure($0, $1, softness: 1) }),
    DrawnScene(
      name: "soft edge before a gradient", tolerance: 0.0055, person: skin, background: gradient,
      opacity: { figure($0, $1, softness: 9) }),
    DrawnScene(
      name: "strands of hair before a wall", tolerance: 0.009, person: hair, background: { _, _ in wall }, opacity: strands),
    DrawnScene(
      name: "strands of hair before stripes", tolerance: 0.009, person: hair, background: stripes, opacity: strands),
    DrawnScene(
      name: "figure before a wall of its colour", tolerance: 0.0038, person: skin,
      background: { skin($0 + 90, $1) + 0.1 }, opacity: { figure($0, $1, softness: 1.5) }),
  ]

  private static let wall = Colour(0.62, 0.66, 0.72, 0)
  @Sendable private static func skin(_ x: Float, _ y: Float) -> Colour {
    Colour(0.72, 0.5, 0.4, 0) + 0.06 * sinf(x * 0.11) * cosf(y * 0.07) + 0.01 * Noise.value(Int(x), Int(y))
  }
  @Sendable private static func hair(_ x: Float, _ y: Float) -> Colour {
    Colour(0.16, 0.11, 0.08, 0) + 0.03 * sinf(x * 0.9 + y * 0.2)
  }
  @Sendable private static func gradient(_ x: Float, _ y: Float) -> Colour {
    Colour(0.2, 0.45, 0.35, 0) + Colour(0.3, 0.3, 0.4, 0) * (x / Float(size)) + 0.1 * sinf(y * 0.02)
  }
  @Sendable private static func stripes(_ x: Float, _ y: Float) -> Colour {
    Colour(0.75, 0.72, 0.6, 0) + 0.12 * sinf(x * 0.045)
  }

  /// A head and shoulders; the edge is `softness` pixels wide.
  @Sendable private static func figure(_ x: Float, _ y: Float, softness: Float) -> Float {
    let head = 1 - hypotf((x - 256) / 95, (y - 215) / 125)
    let body = 1 - hypotf((x - 256) / 190, (y - 520) / 190)
    return 0.5 + max(head * 95, body * 190) / softness
  }

  /// The figure with hair that ends in single strands.
  @Sendable private static func strands(_ x: Float, _ y: Float) -> Float {
    let solid = figure(x, y, softness: 1.5)
    guard y < 260 else { return solid }
    let (right, up) = ((x - 256) / 95, (y - 215) / 125)
    let distance = (hypotf(right, up) - 1) * 105
    let length = 14 + 9 * sinf(atan2f(up, right) * 23)
    let wave = 0.5 + 0.5 * cosf(atan2f(up, right) * 140 + distance * 0.12)
    let strand = min(1, max(0, (wave - 0.35) * 2.2)) * min(1, max(0, (length - distance) / 8))
    return max(solid, distance > -3 ? strand : 1)
  }
}

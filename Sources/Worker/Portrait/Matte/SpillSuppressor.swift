/// Takes the tint of a saturated background out of the person's rim.
///
/// A coloured wall shines through thin hair and is reflected by the edge of skin and clothes. Near the outline, a colour
/// keeps no more of the background's hue than the person has further inside; its brightness stays.
struct SpillSuppressor {
  private typealias Tuning = MatteTuning.Spill

  /// The background's hue as a unit vector of red, green and blue less their brightness; the fourth number is how much of
  /// it the person has inside, and may keep, at brightness 1: lit hair has more colour than hair in shadow.
  private let hue: Plane<Colour>
  /// How much of the excess goes, 0…1, on a grid of ``Matte/opacity``.
  private let weights: Plane<Float>

  /// - Parameters:
  ///   - image: colours 0…1.
  ///   - quarter: the same at a quarter of the size.
  ///   - opacity: 0…1.
  ///   - valid: whether the photo has the pixel.
  /// - Returns: nil before a background without saturated colours.
  init?(image: Plane<Colour>, quarter: Plane<Colour>, opacity: Plane<Float>, faces: FacesInView, valid: [Bool]) {
    let (width, height) = (image.width, image.height)
    let behind = Self.local(quarter.masked { valid[$0] && opacity.values[$0] < Tuning.certain.background })
    guard behind.values.contains(where: { $0.w > 0 && Self.strength($0) > 0 }) else { return nil }
    let solid = opacity.values.map { $0 > Tuning.certain.person }
    let inside = Morphology.eroded(solid, width, height, by: Tuning.reach.hair)
    let own = quarter.masked { inside[$0] }
    let person = Self.local(own)
    let squares = Self.local(own.map { Colour(Self.squaredChroma($0) * $0.w, 0, 0, $0.w) })
    // The rim of an ear is of no other colour than the face, though there is only hair further inside.
    let skin = Self.skin(of: image, faces)
    var hue = behind
    var strength = Plane<Float>(width: behind.width, height: behind.height, repeating: 0)
    for index in hue.values.indices {
      let chroma = Self.chroma(behind.values[index])
      let direction = chroma / max((chroma * chroma).sum().squareRoot(), 1e-4)
      let local = Self.part(of: direction, in: person.values[index], squaredChroma: squares.values[index].x)
      let face = Self.part(of: direction, in: skin.mean, squaredChroma: skin.squaredChroma)
      hue.values[index] = direction.replacingLast(max(local, face * Tuning.shadedSkin))
      if behind.values[index].w > 0, person.values[index].w > 0 {
        strength.values[index] = Self.strength(behind.values[index])
      }
    }
    self.hue = hue
    weights = Self.weights(
      opacity, strength.resized(width: width, height: height), faces.mayBeHair(width: width, height: height))
  }

  /// Whether colours between these positions may lose something, as ``corrected(_:_:_:)`` takes them.
  @inline(__always)
  func reaches(_ row: Interpolation, _ column: Interpolation) -> Bool {
    weights.values[row.first * weights.width + column.first] > 0
  }

  /// The colour without the excess.
  /// - Parameters:
  ///   - column: of a picture of any size over the grid, interpolated like the matte's.
  ///   - row: likewise.
  @inline(__always)
  func corrected(_ colour: Colour, _ row: Interpolation, _ column: Interpolation) -> Colour {
    let weight = weights.values[row.first * weights.width + column.first]
    guard weight > 0 else { return colour }
    let (x, y) = (min(hue.width - 1, column.first / 4), min(hue.height - 1, row.first / 4))
    let hue = self.hue.values[y * self.hue.width + x]
    let direction = hue.replacingLast(0)
    let excess = (Self.chroma(colour) * direction).sum() - hue.w * colour.luma - Tuning.tolerance
    guard excess > 0 else { return colour }
    return (colour - direction * (excess * weight)).clampedToUnit
  }

  /// The mean of the chosen pixels around each position; the fourth number is 0 where there are none near by, otherwise 1.
  private static func local(_ chosen: Plane<Colour>) -> Plane<Colour> {
    BoxBlur.apply(BoxBlur.apply(chosen, radius: Tuning.blur), radius: Tuning.blur)
      .map { $0.w > Tuning.leastPart ? $0 / $0.w : .zero }
  }

  /// How much of a hue colours of this mean have, at brightness 1: the mean and the standard deviation.
  private static func part(of direction: Colour, in mean: Colour, squaredChroma: Float) -> Float {
    let own = chroma(mean)
    let variance = max(0, squaredChroma - (own * own).sum())
    return (max(0, (own * direction).sum()) + variance.squareRoot()) / max(mean.luma, Tuning.darkest)
  }

  private static func skin(of image: Plane<Colour>, _ faces: FacesInView) -> (mean: Colour, squaredChroma: Float) {
    let face = faces.hull(width: image.width, height: image.height)
    var (sum, squares, count) = (Colour.zero, Float(0), Float(0))
    for index in face.indices where face[index] {
      sum += image.values[index]
      squares += squaredChroma(image.values[index])
      count += 1
    }
    return (sum / max(1, count), squares / max(1, count))
  }

  private static func weights(_ opacity: Plane<Float>, _ strength: Plane<Float>, _ mayBeHair: [Bool]) -> Plane<Float> {
    let wide = BoxBlur.apply(opacity, radius: Tuning.reach.hair)
    let narrow = BoxBlur.apply(opacity, radius: Tuning.reach.solid)
    var result = strength
    for index in result.values.indices where strength.values[index] > 0 {
      // Half of a window on the outline is the person, all of one further inside.
      let covered = mayBeHair[index] ? wide.values[index] : narrow.values[index]
      let nearness = opacity.values[index] > 0 ? max(0, min(1, (Tuning.rim.covered - covered) * Tuning.rim.steepness)) : 0
      result.values[index] *= nearness
    }
    return result
  }

  private static func strength(_ background: Colour) -> Float {
    let chroma = chroma(background)
    let found = (chroma * chroma).sum().squareRoot()
    return max(0, min(1, (found - Tuning.saturation.from) / (Tuning.saturation.to - Tuning.saturation.from)))
  }

  private static func squaredChroma(_ colour: Colour) -> Float {
    let chroma = chroma(colour)
    return (chroma * chroma).sum()
  }

  @inline(__always)
  private static func chroma(_ colour: Colour) -> Colour { (colour - colour.luma).replacingLast(0) }
}

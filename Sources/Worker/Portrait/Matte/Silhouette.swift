/// The person's outline, yes or no for each pixel, before hair and soft edges are determined.
enum Silhouette {
  /// Pixels with a higher probability than this are kept, even in thin parts.
  private static let sure: Float = 0.85

  /// Notches are up to twice as wide as this, in pixels, and the networks at least so sure.
  private static let notch = (reach: 16, confidence: Float(0.8))

  /// - Parameters:
  ///   - probability: how probably each pixel is the person, 0…1, as the picture's edges say.
  ///   - networks: the networks' mean, 0…1, of the same size.
  ///   - face: where the person's face is; what hangs together with neither it nor one of the others is left out.
  ///   - chin: the row below which there are clothes.
  static func person(
    probability: Plane<Float>, networks: Plane<Float>, face: PixelRectangle, others: [PixelRectangle] = [],
    chin: Int
  ) -> [Bool] {
    let (width, height) = (probability.width, probability.height)
    // The dark line around a badge or a trim is no gap: what lies behind it still hangs together with the person.
    let whole = ConnectedComponents.largest(
      BoxBlur.apply(probability, radius: 1).values.map { $0 > 0.5 },
      width: width, height: height, meeting: face, others: others)
    // What is thinner than a finger is no limb but an edge of the background.
    let core = ConnectedComponents.largest(
      Morphology.eroded(whole, width, height, by: 4), width: width, height: height, meeting: face, others: others)
    let thick = Morphology.dilated(core, width, height, by: 5)
    let votes = BoxBlur.apply(plane(zip(whole, thick).map { $0 && $1 }, width, height), radius: 4)
    return withoutNotches(
      withoutThinParts(votes.values.map { $0 > 0.5 }, networks: networks), networks: networks, chin: chin)
  }

  /// Fills notches in the outline of clothes where the networks see the person: the stripes of a shirt that have the
  /// background's colour.
  private static func withoutNotches(_ person: [Bool], networks: Plane<Float>, chin: Int) -> [Bool] {
    let (width, height) = (networks.width, networks.height)
    let closed = Morphology.eroded(
      Morphology.dilated(person, width, height, by: notch.reach), width, height, by: notch.reach)
    return person.indices.map {
      person[$0] || closed[$0] && $0 / width > chin && networks.values[$0] > notch.confidence
    }
  }

  /// Removes thin points about which the networks are uncertain: they belong to objects behind the person, not to hats
  /// or shoulders.
  private static func withoutThinParts(_ person: [Bool], networks: Plane<Float>) -> [Bool] {
    let (width, height) = (networks.width, networks.height)
    // Half the size is fine enough for a curve this wide.
    let wide = BoxBlur.smooth(plane(person, width, height).halved(), radius: 5).resized(width: width, height: height)
    return person.indices.map { person[$0] && (wide.values[$0] > 0.5 || networks.values[$0] > sure) }
  }

  private static func plane(_ chosen: [Bool], _ width: Int, _ height: Int) -> Plane<Float> {
    Plane(width: width, height: height, values: chosen.map { $0 ? 1 : 0 })
  }
}

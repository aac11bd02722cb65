/// The person's outline, yes or no for each pixel, before hair and soft edges are determined.
enum Silhouette {
  private typealias Tuning = MatteTuning.Silhouette

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
      Morphology.eroded(whole, width, height, by: Tuning.limb), width: width, height: height, meeting: face, others: others)
    let thick = Morphology.dilated(core, width, height, by: Tuning.around)
    let votes = BoxBlur.apply(plane(zip(whole, thick).map { $0 && $1 }, width, height), radius: Tuning.majority.outline)
    return withoutNotches(
      withoutThinParts(votes.values.map { $0 > 0.5 }, networks: networks), networks: networks, chin: chin)
  }

  /// Fills notches in the outline of clothes where the networks see the person: the stripes of a shirt that have the
  /// background's colour.
  private static func withoutNotches(_ person: [Bool], networks: Plane<Float>, chin: Int) -> [Bool] {
    let (width, height) = (networks.width, networks.height)
    let closed = Morphology.eroded(
      Morphology.dilated(person, width, height, by: Tuning.notch.reach), width, height, by: Tuning.notch.reach)
    return person.indices.map {
      person[$0] || closed[$0] && $0 / width > chin && networks.values[$0] > Tuning.notch.confidence
    }
  }

  /// Removes thin points about which the networks are uncertain: they belong to objects behind the person, not to hats
  /// or shoulders.
  private static func withoutThinParts(_ person: [Bool], networks: Plane<Float>) -> [Bool] {
    let (width, height) = (networks.width, networks.height)
    // Half the size is fine enough for a curve this wide.
    let wide = BoxBlur.smooth(plane(person, width, height).halved(), radius: Tuning.majority.thin)
      .resized(width: width, height: height)
    return person.indices.map { person[$0] && (wide.values[$0] > 0.5 || networks.values[$0] > Tuning.sure) }
  }

  private static func plane(_ chosen: [Bool], _ width: Int, _ height: Int) -> Plane<Float> {
    Plane(width: width, height: height, values: chosen.map { $0 ? 1 : 0 })
  }
}

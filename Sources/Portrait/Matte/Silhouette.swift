/// The person's outline, yes or no for each pixel, before hair and soft edges are looked at.
enum Silhouette {
  /// What the networks are surer of than this is not cut, however thin.
  private static let sure: Float = 0.85

  /// - Parameters:
  ///   - probability: how probably each pixel is the person, 0…1, as the picture's edges say.
  ///   - networks: the networks' mean, 0…1, of the same size.
  ///   - face: where the person's face is; what does not hang together with it is left out.
  static func person(probability: Plane<Float>, networks: Plane<Float>, face: PixelRectangle) -> [Bool] {
    let (width, height) = (probability.width, probability.height)
    // The dark line around a badge or a trim is no gap: what lies behind it still hangs together with the person.
    let whole = ConnectedComponents.largest(
      BoxBlur.apply(probability.map { Colour($0, 0, 0, 0) }, radius: 1).values.map { $0.x > 0.5 },
      width: width, height: height, meeting: face)
    // What is thinner than a finger is no limb but an edge of the background.
    let core = ConnectedComponents.largest(
      Trimap.shrunk(whole, width, height, by: 4), width: width, height: height, meeting: face)
    let thick = Trimap.grown(core, width, height, by: 5)
    let votes = BoxBlur.apply(plane(zip(whole, thick).map { $0 && $1 }, width, height), radius: 4)
    return withoutPoints(votes.values.map { $0.x > 0.5 }, networks: networks)
  }

  /// Rounds off points and slivers the networks doubt: hats and shoulders have none, what hangs behind them has.
  private static func withoutPoints(_ person: [Bool], networks: Plane<Float>) -> [Bool] {
    let (width, height) = (networks.width, networks.height)
    // Half the size is fine enough for a curve this wide.
    let wide = BoxBlur.smooth(plane(person, width, height).halved(), radius: 5).resized(width: width, height: height)
    return person.indices.map { person[$0] && (wide.values[$0].x > 0.5 || networks.values[$0] > sure) }
  }

  private static func plane(_ chosen: [Bool], _ width: Int, _ height: Int) -> Plane<Colour> {
    Plane(width: width, height: height, values: chosen.map { Colour($0 ? 1 : 0, 0, 0, 0) })
  }
}

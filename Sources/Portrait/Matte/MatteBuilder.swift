/// Turns a rough mask into a matte.
struct MatteBuilder {
  /// The matte's side in pixels: half of the picture's.
  static let size = 512

  /// - Parameters:
  ///   - image: the cut square at ``size``, colours 0…1.
  ///   - mask: the networks' mean, 0…1, of the same size.
  ///   - exists: whether the photo has the pixel.
  ///   - heads: where the faces are, in pixels of the matte.
  static func matte(
    image: Plane<Colour>, mask networks: Plane<Float>, exists: [Bool], heads: Heads
  ) -> Matte {
    let (width, height) = (image.width, image.height)
    let face = heads.seed
    let mask = heads.withoutOthers(networks)
    let doubtful = Trimap(mask: mask, exists: exists, inner: 4, outer: 6, doubt: 16, face: face)
    let evidence = ColourEvidence.corrected(mask: mask, image: image, trimap: doubtful)
    let walked = EdgeWalker.probability(image: image, mask: evidence, regions: doubtful.regions)
    let person = Silhouette.person(probability: walked, networks: mask, face: face)
    let trimap = Trimap(
      edgeOf: person, mayBeHair: heads.mayBeHair(width: width, height: height), exists: exists,
      width: width, height: height, solid: 3, loose: 7)
    let word = walked.combined(with: Plane(width: width, height: height, values: person)) {
      $1 ? max($0, 0.6) : min($0, 0.02)
    }
    let sampled = SampleMatting(image: image, mask: word, trimap: trimap).opacity()
    let rough = GuidedFilter.coefficients(mask: sampled, guide: image, radius: 3, epsilon: 3e-4)
    let coefficients = withoutIslands(withoutSpurs(rough, image, sampled, person: person), image, face: face)
    var opacity = Plane<Float>(width: width, height: height, repeating: 0)
    for index in opacity.values.indices {
      opacity.values[index] = settled(GuidedFilter.value(of: coefficients.values[index], at: image.values[index]))
    }
    let layers = LayerEstimator.layers(of: image, opacity: opacity, radii: [45, 4])
    return Matte(coefficients: coefficients, opacity: opacity, layers: layers)
  }

  /// What is nearly the person is the person, what is nearly not is not: no smoke in the background.
  @inline(__always)
  static func settled(_ opacity: Float) -> Float {
    let t = min(1, max(0, (opacity - 0.1) / 0.84))
    return t * t * (3 - 2 * t)
  }

  /// Outside the outline nothing becomes more opaque than the samples around found it.
  ///
  /// The filter only knows that dark is the person and bright is not; a dark line of the background that touches
  /// a dark hat would come along.
  static func withoutSpurs(
    _ coefficients: Plane<Colour>, _ image: Plane<Colour>, _ sampled: Plane<Float>, person: [Bool]
  ) -> Plane<Colour> {
    let limits = BoxBlur.apply(sampled.map { Colour($0, 0, 0, 0) }, radius: 2)
    var result = coefficients
    for index in person.indices where !person[index] {
      let value = GuidedFilter.value(of: coefficients.values[index], at: image.values[index])
      let limit = limits.values[index].x
      if value > limit { result.values[index] *= limit / value }
    }
    return result
  }

  /// Takes away everything visible that does not hang together with the face.
  private static func withoutIslands(
    _ coefficients: Plane<Colour>, _ image: Plane<Colour>, face: PixelRectangle
  ) -> Plane<Colour> {
    let visible = coefficients.combined(with: image) { settled(GuidedFilter.value(of: $0, at: $1)) > 0.08 }
    let kept = ConnectedComponents.largest(
      visible.values, width: visible.width, height: visible.height, meeting: face)
    var result = coefficients
    for index in kept.indices where visible.values[index] && !kept[index] { result.values[index] = .zero }
    return result
  }
}

/// Turns a rough mask into a matte.
struct MatteBuilder {
  /// The matte's side in pixels: half of the picture's.
  static let size = 512

  /// - Parameters:
  ///   - image: the cut square at ``size``, colours 0…1.
  ///   - mask: the networks' mean, 0…1, of the same size.
  ///   - valid: whether the photo has the pixel.
  ///   - faces: where the faces are, in pixels of the matte.
  static func matte(
    image: Plane<Colour>, mask networks: Plane<Float>, valid: [Bool], faces: FacesInView
  ) -> Matte {
    let (width, height) = (image.width, image.height)
    let face = faces.seed
    let mask = faces.withoutOthers(networks)
    let coarseTrimap = Trimap(mask: mask, valid: valid, inner: 4, outer: 6, band: 16, face: face)
    let evidence = ColourEvidence.corrected(mask: mask, image: image, trimap: coarseTrimap)
    let walk = RandomWalker.probability(image: image, mask: evidence, regions: coarseTrimap.regions)
    var person = Silhouette.person(probability: walk, networks: mask, face: face)
    let zone = HairZone(image: image, person: person, valid: valid, faces: faces)
    var trimap = Trimap(edgeOf: person, zone: zone, valid: valid, width: width, height: height, solid: 3, loose: 7)
    var prior = prior(walk, person: person, zone: zone)
    if let gaps = HairGaps.found(in: image, person: person, networks: mask, valid: valid, faces: faces) {
      gaps.open(&trimap, &prior, &person)
    }
    let sampled = SampleMatting(image: image, mask: prior, trimap: trimap).opacity()
    let rough = GuidedFilter.coefficients(mask: sampled, guide: image, radius: 3, epsilon: 3e-4)
    let looseness = zone.looseness(width: width, height: height)
    let coefficients = withoutIslands(limitedOutsideOutline(rough, image, sampled, person: person, isEven: zone.isEven), image, face: face)
    var opacity = Plane<Float>(width: width, height: height, repeating: 0)
    for index in opacity.values.indices {
      opacity.values[index] = EdgeCurve.opacity(
        GuidedFilter.value(of: coefficients.values[index], at: image.values[index]), looseness: looseness.values[index])
    }
    let layers = LayerEstimator.layers(of: image, opacity: opacity, radii: [45, 4])
    let spill = SpillSuppressor(image: image, opacity: opacity, faces: faces, valid: valid)
    return Matte(coefficients: coefficients, looseness: looseness, opacity: opacity, layers: layers, spill: spill)
  }

  /// The probability of the person before the opacity is measured: on the known side of the outline, or, in hair, a soft
  /// step, which remains where hair and background have the same colour.
  private static func prior(_ walk: Plane<Float>, person: [Bool], zone: HairZone) -> Plane<Float> {
    let step = Plane<Float>(width: walk.width, height: walk.height, values: person.map { $0 ? 1 : 0 })
    let soft = BoxBlur.apply(step, radius: 2)
    var result = walk
    for index in person.indices {
      if zone.mayBeHair[index], soft.values[index] > 0, soft.values[index] < 1 {
        result.values[index] = soft.values[index]
      } else {
        result.values[index] = person[index] ? max(walk.values[index], 0.6) : min(walk.values[index], 0.02)
      }
    }
    return result
  }

  /// Outside the outline, nothing becomes more opaque than sample matting found it.
  ///
  /// The filter only knows, for example, that dark is the person and bright is not, so it would include a dark line of
  /// the background that touches a dark hat.
  static func limitedOutsideOutline(
    _ coefficients: Plane<Colour>, _ image: Plane<Colour>, _ sampled: Plane<Float>, person: [Bool], isEven: [Bool]
  ) -> Plane<Colour> {
    let limits = BoxBlur.apply(sampled, radius: 2)
    var result = coefficients
    for index in person.indices where !person[index] {
      let value = GuidedFilter.value(of: coefficients.values[index], at: image.values[index])
      // A single hair fills less than half of the window.
      let limit = isEven[index] ? limits.values[index] * 2 : limits.values[index]
      if value > limit { result.values[index] *= limit / value }
    }
    return result
  }

  /// Removes everything visible that is not connected to the face.
  private static func withoutIslands(
    _ coefficients: Plane<Colour>, _ image: Plane<Colour>, face: PixelRectangle
  ) -> Plane<Colour> {
    let visible = coefficients.combined(with: image) { GuidedFilter.value(of: $0, at: $1) > 0.24 }
    let kept = ConnectedComponents.largest(
      visible.values, width: visible.width, height: visible.height, meeting: face)
    // The faint rim of what is kept goes on outside of it; other faint traces belong to what was removed.
    let near = Morphology.dilated(kept, visible.width, visible.height, by: 3)
    var result = coefficients
    for index in kept.indices where !near[index] || visible.values[index] && !kept[index] { result.values[index] = .zero }
    return result
  }
}

/// The opacity of the person, and the colours of person and background where they mix.
struct Matte {
  /// The opacity at each position, as a function of the colour (``GuidedFilter``).
  var coefficients: Plane<Colour>
  /// See ``EdgeCurve``.
  var looseness: Plane<Float>
  /// 0…1.
  var opacity: Plane<Float>
  var layers: LayerEstimator.Layers
  /// Nil before a background without saturated colours.
  var spill: SpillSuppressor?
}

/// Separates the colours of person and background where they mix, so that hair does not keep the colour of the old
/// background.
///
/// Source: Forte, "Approximate Fast Foreground Colour Estimation", ICIP 2021: weighted blurs, wide, then narrow.
enum LayerEstimator {
  struct Layers {
    var foreground: Plane<Colour>
    var background: Plane<Colour>
  }

  /// - Parameters:
  ///   - image: colours 0…1.
  ///   - opacity: 0…1 of the same size.
  static func layers(of image: Plane<Colour>, opacity: Plane<Float>, radii: [Int]) -> Layers {
    var layers = Layers(foreground: image, background: image)
    for radius in radii {
      let front = BoxBlur.apply(
        layers.foreground.combined(with: opacity) { ($0 * $1).replacingLast($1) }, radius: radius)
      let back = BoxBlur.apply(
        layers.background.combined(with: opacity) { ($0 * (1 - $1)).replacingLast(1 - $1) }, radius: radius)
      for index in image.values.indices {
        let alpha = opacity.values[index]
        let foreground = front.values[index] / max(front.values[index].w, 1e-5)
        let background = back.values[index] / max(back.values[index].w, 1e-5)
        let error = image.values[index] - foreground * alpha - background * (1 - alpha)
        layers.foreground.values[index] = (foreground + error * alpha).clampedToUnit
        layers.background.values[index] = background.clampedToUnit
      }
    }
    return layers
  }
}

/// The person's outline, yes or no for each pixel, before hair and soft edges are determined.
enum Silhouette {
  /// Pixels with a higher probability than this are kept, even in thin parts.
  private static let sure: Float = 0.85

  /// - Parameters:
  ///   - probability: how probably each pixel is the person, 0…1, as the picture's edges say.
  ///   - networks: the networks' mean, 0…1, of the same size.
  ///   - face: where the person's face is; what does not hang together with it is left out.
  static func person(probability: Plane<Float>, networks: Plane<Float>, face: PixelRectangle) -> [Bool] {
    let (width, height) = (probability.width, probability.height)
    // The dark line around a badge or a trim is no gap: what lies behind it still hangs together with the person.
    let whole = ConnectedComponents.largest(
      BoxBlur.apply(probability, radius: 1).values.map { $0 > 0.5 },
      width: width, height: height, meeting: face)
    // What is thinner than a finger is no limb but an edge of the background.
    let core = ConnectedComponents.largest(
      Morphology.eroded(whole, width, height, by: 4), width: width, height: height, meeting: face)
    let thick = Morphology.dilated(core, width, height, by: 5)
    let votes = BoxBlur.apply(plane(zip(whole, thick).map { $0 && $1 }, width, height), radius: 4)
    return withoutThinParts(votes.values.map { $0 > 0.5 }, networks: networks)
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

/// Turns a rough mask into a matte.
struct MatteBuilder {
  private typealias Tuning = MatteTuning.Builder

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
    let (face, companions) = (faces.seed, faces.companionSeeds)
    let mask = faces.withoutOthers(networks)
    let (coarse, fine) = (MatteTuning.Trimap.coarse, MatteTuning.Trimap.fine)
    let coarseTrimap = Trimap(
      mask: mask, valid: valid, inner: coarse.inner, outer: coarse.outer, band: coarse.band, face: face, others: companions)
    let evidence = ColourEvidence.corrected(mask: mask, image: image, trimap: coarseTrimap)
    let walk = RandomWalker.probability(image: image, mask: evidence, regions: coarseTrimap.regions)
    let chin = Int(faces.wanted.y + faces.wanted.height)
    var person = Silhouette.person(probability: walk, networks: mask, face: face, others: companions, chin: chin)
    let quarter = image.halved().halved()
    let outline = person
    let (zone, gaps) = Parallel.both(
      { HairZone(image: image, quarter: quarter, person: outline, networks: mask, valid: valid, faces: faces) },
      { HairGaps.found(in: image, person: outline, networks: mask, valid: valid, faces: faces) })
    var trimap = Trimap(
      edgeOf: person, zone: zone, valid: valid, width: width, height: height, solid: fine.solid, loose: fine.loose)
    var prior = prior(walk, person: person, zone: zone)
    gaps?.open(&trimap, &prior, &person)
    let sampled = SampleMatting(image: image, mask: prior, trimap: trimap).opacity()
    let rough = GuidedFilter.coefficients(
      mask: sampled, guide: image, radius: MatteTuning.Filter.radius, epsilon: MatteTuning.Filter.epsilon)
    let looseness = zone.looseness(width: width, height: height)
    let limited = limitedOutsideOutline(rough, image, sampled, person: person, isEven: zone.isEven)
    let coefficients = withoutIslands(limited, image, face: face, others: companions)
    let opacity = opacity(coefficients, image, looseness)
    let (layers, spill) = Parallel.both(
      { LayerEstimator.layers(of: image, quarter: quarter, opacity: opacity) },
      { SpillSuppressor(image: image, quarter: quarter, opacity: opacity, faces: faces, valid: valid) })
    return Matte(
      coefficients: coefficients, looseness: looseness, opacity: opacity, layers: layers, spill: spill,
      backgroundInHair: gaps?.remaining(in: opacity) ?? 0)
  }

  private static func opacity(
    _ coefficients: Plane<Colour>, _ image: Plane<Colour>, _ looseness: Plane<Float>
  ) -> Plane<Float> {
    var result = looseness
    for index in result.values.indices {
      result.values[index] = EdgeCurve.opacity(
        GuidedFilter.value(of: coefficients.values[index], at: image.values[index]), looseness: looseness.values[index])
    }
    return result
  }

  /// The probability of the person before the opacity is measured: on the known side of the outline, or, in hair, a soft
  /// step, which remains where hair and background have the same colour.
  private static func prior(_ walk: Plane<Float>, person: [Bool], zone: HairZone) -> Plane<Float> {
    let step = Plane<Float>(width: walk.width, height: walk.height, values: person.map { $0 ? 1 : 0 })
    let soft = BoxBlur.apply(step, radius: Tuning.softStep)
    let sides = Tuning.sides
    var result = walk
    for index in person.indices {
      if zone.mayBeHair[index], soft.values[index] > 0, soft.values[index] < 1 {
        result.values[index] = soft.values[index]
      } else {
        result.values[index] = person[index] ? max(walk.values[index], sides.inside) : min(walk.values[index], sides.outside)
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
    let limits = BoxBlur.apply(sampled, radius: Tuning.limit.radius)
    var result = coefficients
    for index in person.indices where !person[index] {
      let value = GuidedFilter.value(of: coefficients.values[index], at: image.values[index])
      let limit = isEven[index] ? limits.values[index] * Tuning.limit.singleHair : limits.values[index]
      if value > limit { result.values[index] *= limit / value }
    }
    return result
  }

  /// Removes everything visible that is not connected to a face.
  private static func withoutIslands(
    _ coefficients: Plane<Colour>, _ image: Plane<Colour>, face: PixelRectangle, others: [PixelRectangle]
  ) -> Plane<Colour> {
    let visible = coefficients.combined(with: image) { GuidedFilter.value(of: $0, at: $1) > Tuning.islands.from }
    let kept = ConnectedComponents.largest(
      visible.values, width: visible.width, height: visible.height, meeting: face, others: others)
    // The faint rim of what is kept goes on outside of it; other faint traces belong to what was removed.
    let near = Morphology.dilated(kept, visible.width, visible.height, by: Tuning.islands.rim)
    var result = coefficients
    for index in kept.indices where !near[index] || visible.values[index] && !kept[index] { result.values[index] = .zero }
    return result
  }
}

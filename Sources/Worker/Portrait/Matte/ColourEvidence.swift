import Glibc

/// Corrects uncertain probabilities by colour: a colour that is common in the nearby background, but not on the person,
/// is evidence for the background.
enum ColourEvidence {
  private typealias Tuning = MatteTuning.Evidence

  /// Steps of a channel; 16³ boxes.
  private static let steps = 16

  /// The networks' probability, corrected by the colours where it is uncertain.
  static func corrected(mask: Plane<Float>, image: Plane<Colour>, trimap: Trimap) -> Plane<Float> {
    let unknown = trimap.regions.map { $0 == .unknown }
    // Only the neighbourhood of the edge counts; the far background is another place, the chest another colour.
    let near = Morphology.dilated(unknown, trimap.width, trimap.height, by: Tuning.reach)
    var person = [Float](repeating: 0, count: steps * steps * steps)
    var background = person
    for index in near.indices where near[index] {
      switch trimap.regions[index] {
      case .person: person[box(image.values[index])] += 1
      case .background: background[box(image.values[index])] += 1
      case .unknown: break
      }
    }
    person = normalised(person)
    background = normalised(background)
    let limits = Tuning.limits
    var result = mask
    for index in unknown.indices where unknown[index] {
      let place = box(image.values[index])
      let evidence = logf((person[place] + Tuning.rarity) / (background[place] + Tuning.rarity))
      let prior = min(limits.prior.most, max(limits.prior.least, mask.values[index]))
      let sum = Tuning.priorWeight * logf(prior / (1 - prior)) + min(limits.evidence, max(-limits.evidence, evidence))
      result.values[index] = 1 / (1 + expf(-sum))
    }
    return result
  }

  @inline(__always)
  private static func box(_ colour: Colour) -> Int {
    let place = (colour * Float(steps)).clamped(to: Float(steps) - 1)
    return (Int(place.x) * steps + Int(place.y)) * steps + Int(place.z)
  }

  /// The frequency of each box, smoothed over its neighbours so that noise does not decide.
  private static func normalised(_ counts: [Float]) -> [Float] {
    var result = counts
    for stride in [1, steps, steps * steps] {
      let source = result
      for index in source.indices {
        let place = index / stride % steps
        let before = place > 0 ? source[index - stride] : source[index]
        let after = place < steps - 1 ? source[index + stride] : source[index]
        result[index] = (before + 2 * source[index] + after) / 4
      }
    }
    let total = max(1, result.reduce(0, +))
    return result.map { $0 / total }
  }
}

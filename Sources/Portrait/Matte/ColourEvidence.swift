import Glibc

/// What the colours themselves say: a colour that is common in the background nearby and unknown on the person
/// speaks against the networks where those are not sure.
enum ColourEvidence {
  /// Steps of a channel; 16³ boxes.
  private static let steps = 16

  /// The networks' word, corrected by the colours wherever it is in doubt.
  static func corrected(mask: Plane<Float>, image: Plane<Colour>, trimap: Trimap) -> Plane<Float> {
    let unknown = trimap.regions.map { $0 == .unknown }
    // Only the neighbourhood of the edge counts; the far background is another place, the chest another colour.
    let near = Trimap.grown(unknown, trimap.width, trimap.height, by: 44)
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
    var result = mask
    for index in unknown.indices where unknown[index] {
      let place = box(image.values[index])
      let evidence = logf((person[place] + 2e-4) / (background[place] + 2e-4))
      let word = min(0.98, max(0.02, mask.values[index]))
      let sum = 0.7 * logf(word / (1 - word)) + 1.0 * min(4, max(-4, evidence))
      result.values[index] = 1 / (1 + expf(-sum))
    }
    return result
  }

  @inline(__always)
  private static func box(_ colour: Colour) -> Int {
    let place = (colour * Float(steps)).clamped(lowerBound: .zero, upperBound: Colour(repeating: Float(steps) - 1))
    return (Int(place.x) * steps + Int(place.y)) * steps + Int(place.z)
  }

  /// Shares of the whole, each box sharing with its neighbours so that noise does not decide.
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

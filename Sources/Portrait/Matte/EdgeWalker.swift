/// Decides the pixels about which the networks are uncertain: the boundary moves to an edge of the picture.
///
/// Uncertain pixels join the side that they resemble along the shortest path; the networks' probability has a small
/// weight. So a cord that continues into the background belongs to the background, and a collar that continues into the
/// coat belongs to the person. Source: Grady, "Multilabel Random Walker Image Segmentation Using Prior Models", CVPR
/// 2005.
struct EdgeWalker {
  /// Colour differences from this size on, of 1, separate pixels.
  private static let contrast: Float = 0.028
  /// The weight of the networks' probability.
  private static let pull: Float = 0.03
  /// Sweeps from the coarsest level to the finest: long distances are covered on the coarse ones.
  private static let sweeps = [160, 60, 24]

  private let image: Plane<Colour>
  private let mask: Plane<Float>
  private let regions: [Trimap.Region]

  /// The probability that each pixel is the person, 0…1.
  static func probability(image: Plane<Colour>, mask: Plane<Float>, regions: [Trimap.Region]) -> Plane<Float> {
    var levels = [EdgeWalker(image: image, mask: mask, regions: regions)]
    while levels.count < sweeps.count, let last = levels.last, last.image.width > 32 { levels.append(last.coarser()) }
    var probability: Plane<Float>?
    for (level, count) in zip(levels.reversed(), sweeps.suffix(levels.count)) {
      probability = level.solve(from: probability, sweeps: count)
    }
    return probability ?? mask
  }

  private func coarser() -> EdgeWalker {
    let small = image.halved()
    var coarseMask = Plane<Float>(width: small.width, height: small.height, repeating: 0)
    var coarse = [Trimap.Region](repeating: .unknown, count: small.values.count)
    for y in 0..<small.height {
      for x in 0..<small.width {
        let at = 2 * y * image.width + 2 * x
        let four = [at, at + 1, at + image.width, at + image.width + 1]
        coarseMask[x, y] = four.reduce(0) { $0 + mask.values[$1] } / 4
        let first = regions[at]
        if four.allSatisfy({ regions[$0] == first }) { coarse[y * small.width + x] = first }
      }
    }
    return EdgeWalker(image: small, mask: coarseMask, regions: coarse)
  }

  private func solve(from coarse: Plane<Float>?, sweeps: Int) -> Plane<Float> {
    var state = start(from: coarse)
    let (width, height) = (image.width, image.height)
    let across = likeness(step: 1)
    let down = likeness(step: width)
    let unknown = regions.indices.filter { regions[$0] == .unknown }
    // Successive over-relaxation; forwards and backwards in turn, so that nothing travels one way only.
    for sweep in 0..<sweeps {
      for place in 0..<unknown.count {
        let at = unknown[sweep.isMultiple(of: 2) ? place : unknown.count - 1 - place]
        let (x, y) = (at % width, at / width)
        let word = mask.values[at]
        let certainty = (2 * word - 1) * (2 * word - 1)
        var sum = Self.pull * certainty * word
        var weight = Self.pull * certainty + 1e-6
        if x > 0 { add(across[at - 1], state[at - 1], &sum, &weight) }
        if x + 1 < width { add(across[at], state[at + 1], &sum, &weight) }
        if y > 0 { add(down[at - width], state[at - width], &sum, &weight) }
        if y + 1 < height { add(down[at], state[at + width], &sum, &weight) }
        state[at] += 1.7 * (sum / weight - state[at])
      }
    }
    return Plane(width: width, height: height, values: state.map { min(1, max(0, $0)) })
  }

  @inline(__always)
  private func add(_ likeness: Float, _ value: Float, _ sum: inout Float, _ weight: inout Float) {
    sum += likeness * value
    weight += likeness
  }

  private func start(from coarse: Plane<Float>?) -> [Float] {
    regions.indices.map { at in
      switch regions[at] {
      case .person: return 1
      case .background: return 0
      case .unknown:
        guard let coarse else { return mask.values[at] }
        let (x, y) = (at % image.width, at / image.width)
        return coarse[min(coarse.width - 1, x / 2), min(coarse.height - 1, y / 2)]
      }
    }
  }

  /// The similarity of each pixel to the one `step` further, 0…1.
  private func likeness(step: Int) -> [Float] {
    var result = [Float](repeating: 0, count: image.values.count)
    for at in 0..<max(0, image.values.count - step) {
      let difference = image.values[at] - image.values[at + step]
      let distance = (difference * difference).sum() / (Self.contrast * Self.contrast)
      result[at] = 1 / ((1 + distance) * (1 + distance))
    }
    return result
  }
}

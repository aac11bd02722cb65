/// Decides the pixels about which the networks are uncertain: the boundary moves to an edge of the picture.
///
/// Uncertain pixels join the side that they resemble along the shortest path; the networks' probability has a small
/// weight. So a cord that continues into the background belongs to the background, and a collar that continues into the
/// coat belongs to the person. Source: Grady, "Multilabel Random Walker Image Segmentation Using Prior Models", CVPR
/// 2005.
struct RandomWalker {
  /// Colour differences from this size on, of 1, separate pixels.
  private static let contrast: Float = 0.028
  /// The weight of the networks' probability, the prior, beside a neighbour's.
  private static let priorWeight: Float = 0.03
  /// Sweeps from the coarsest level to the finest: long distances are covered on the coarse ones.
  private static let sweeps = [160, 60, 24]

  private let image: Plane<Colour>
  private let mask: Plane<Float>
  private let regions: [Trimap.Region]

  /// The probability that each pixel is the person, 0…1.
  static func probability(image: Plane<Colour>, mask: Plane<Float>, regions: [Trimap.Region]) -> Plane<Float> {
    var levels = [RandomWalker(image: image, mask: mask, regions: regions)]
    while levels.count < sweeps.count, let last = levels.last, last.image.width > 32 { levels.append(last.coarser()) }
    var probability: Plane<Float>?
    for (level, count) in zip(levels.reversed(), sweeps.suffix(levels.count)) {
      probability = level.solve(from: probability, sweeps: count)
    }
    return probability ?? mask
  }

  private func coarser() -> RandomWalker {
    let small = image.halved()
    var coarseMask = Plane<Float>(width: small.width, height: small.height, repeating: 0)
    var coarse = [Trimap.Region](repeating: .unknown, count: small.values.count)
    for y in 0..<small.height {
      for x in 0..<small.width {
        let at = 2 * y * image.width + 2 * x
        let below = at + image.width
        coarseMask[x, y] = (mask.values[at] + mask.values[at + 1] + mask.values[below] + mask.values[below + 1]) / 4
        let first = regions[at]
        if regions[at + 1] == first, regions[below] == first, regions[below + 1] == first {
          coarse[y * small.width + x] = first
        }
      }
    }
    return RandomWalker(image: small, mask: coarseMask, regions: coarse)
  }

  /// What a sweep needs of an unknown pixel.
  private struct Unknown {
    var at: Int
    /// The prior's part of the weighted sum, and the inverse of the sum of all weights.
    var prior: Float
    var inverseWeight: Float
  }

  /// Successive over-relaxation.
  private func solve(from coarse: Plane<Float>?, sweeps: Int) -> Plane<Float> {
    let (width, height) = (image.width, image.height)
    // A row more above and below, and no similarity across the picture's edges: each pixel has four neighbours.
    let across = similarity(step: 1)
    let down = similarity(step: width)
    var state = [Float](repeating: 0, count: width) + start(from: coarse) + [Float](repeating: 0, count: width)
    let unknown = regions.indices.filter { regions[$0] == .unknown }.map { index in
      let at = index + width
      let prior = mask.values[index]
      let certainty = (2 * prior - 1) * (2 * prior - 1)
      let weight = Self.priorWeight * certainty + 1e-6 + across[at - 1] + across[at] + down[at - width] + down[at]
      return Unknown(at: at, prior: Self.priorWeight * certainty * prior, inverseWeight: 1 / weight)
    }
    // Each `at` is a pixel between the first and the last row, so that its neighbours are inside all three.
    state.withUnsafeMutableBufferPointer { state in
      across.withUnsafeBufferPointer { across in
        down.withUnsafeBufferPointer { down in
          func relax(_ pixel: Unknown) {
            let at = pixel.at
            var sum = pixel.prior + across[at &- 1] * state[at &- 1] + across[at] * state[at &+ 1]
            sum += down[at &- width] * state[at &- width] + down[at] * state[at &+ width]
            state[at] += 1.7 * (sum * pixel.inverseWeight - state[at])
          }
          // Forwards and backwards in turn, so that nothing travels one way only.
          for sweep in 0..<sweeps {
            if sweep.isMultiple(of: 2) {
              for pixel in unknown { relax(pixel) }
            } else {
              for pixel in unknown.reversed() { relax(pixel) }
            }
          }
        }
      }
    }
    return Plane(width: width, height: height, values: state[width..<width * (height + 1)].map { min(1, max(0, $0)) })
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

  /// The similarity of each pixel to the one `step` further, 0…1, with a row more above and below; 0 across an edge.
  private func similarity(step: Int) -> [Float] {
    let width = image.width
    var result = [Float](repeating: 0, count: image.values.count + 2 * width)
    for at in 0..<max(0, image.values.count - step) {
      let difference = image.values[at] - image.values[at + step]
      let distance = (difference * difference).sum() / (Self.contrast * Self.contrast)
      result[at + width] = 1 / ((1 + distance) * (1 + distance))
    }
    if step == 1 {
      for last in stride(from: width - 1, to: image.values.count, by: width) { result[last + width] = 0 }
    }
    return result
  }
}

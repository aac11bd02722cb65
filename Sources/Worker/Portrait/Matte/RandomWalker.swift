/// Decides the pixels about which the networks are uncertain: the boundary moves to an edge of the picture.
///
/// Uncertain pixels join the side that they resemble along the shortest path; the networks' probability has a small
/// weight. So a cord that continues into the background belongs to the background, and a collar that continues into the
/// coat belongs to the person. Source: Grady, "Multilabel Random Walker Image Segmentation Using Prior Models", CVPR
/// 2005.
struct RandomWalker {
  private typealias Tuning = MatteTuning.Walker

  private let image: Plane<Colour>
  private let mask: Plane<Float>
  private let regions: [Trimap.Region]

  /// The probability that each pixel is the person, 0…1.
  static func probability(image: Plane<Colour>, mask: Plane<Float>, regions: [Trimap.Region]) -> Plane<Float> {
    var levels = [RandomWalker(image: image, mask: mask, regions: regions)]
    while levels.count < Tuning.sweeps.count, let last = levels.last, last.image.width > Tuning.coarsest {
      levels.append(last.coarser())
    }
    var probability: Plane<Float>?
    for (level, count) in zip(levels.reversed(), Tuning.sweeps.suffix(levels.count)) {
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

  /// What a sweep needs of an unknown pixel. All weights together are 1.
  private struct Unknown {
    /// The position in the state.
    var at: Int
    /// The prior times its weight.
    var prior: Float
    var left: Float
    var right: Float
    var above: Float
    var below: Float
  }

  /// Successive over-relaxation: in each sweep first the pixels of one colour of a chessboard, whose neighbours are all
  /// of the other, then those.
  private func solve(from coarse: Plane<Float>?, sweeps: Int) -> Plane<Float> {
    let (width, height) = (image.width, image.height)
    // A row more above and below: each pixel has four neighbours.
    var state = [Float](repeating: 0, count: width) + start(from: coarse) + [Float](repeating: 0, count: width)
    let unknown = regions.indices.filter { regions[$0] == .unknown }
    let isEven = { (index: Int) in (index % width + index / width).isMultiple(of: 2) }
    let fields = (unknown.filter(isEven) + unknown.filter { !isEven($0) }).map(weights)
    let relaxation = Tuning.relaxation
    // Each `at` is a pixel between the first and the last row, so that its neighbours are inside.
    state.withUnsafeMutableBufferPointer { state in
      for _ in 0..<sweeps {
        for pixel in fields {
          let at = pixel.at
          let across = pixel.left * state[at &- 1] + pixel.right * state[at &+ 1]
          let down = pixel.above * state[at &- width] + pixel.below * state[at &+ width]
          state[at] += relaxation * (pixel.prior + across + down - state[at])
        }
      }
    }
    return Plane(width: width, height: height, values: state[width..<width * (height + 1)].map { min(1, max(0, $0)) })
  }

  private func weights(_ index: Int) -> Unknown {
    let (width, height) = (image.width, image.height)
    let (x, y) = (index % width, index / width)
    func similarity(_ isInside: Bool, _ other: Int) -> Float {
      guard isInside else { return 0 }
      let difference = image.values[index] - image.values[other]
      let distance = (difference * difference).sum() / (Tuning.contrast * Tuning.contrast)
      return 1 / ((1 + distance) * (1 + distance))
    }
    let (left, right) = (similarity(x > 0, index - 1), similarity(x < width - 1, index + 1))
    let (above, below) = (similarity(y > 0, index - width), similarity(y < height - 1, index + width))
    let certainty = 2 * mask.values[index] - 1
    let prior = Tuning.priorWeight * certainty * certainty
    let factor = 1 / (prior + 1e-6 + left + right + above + below)
    return Unknown(
      at: index + width, prior: prior * mask.values[index] * factor, left: left * factor, right: right * factor,
      above: above * factor, below: below * factor)
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
}

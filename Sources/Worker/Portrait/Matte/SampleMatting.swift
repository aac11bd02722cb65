import Glibc

/// Finds opacities from nearby colours: an unknown pixel is a mixture of one colour of the person and one of the
/// background.
///
/// After Gastal and Oliveira, "Shared Sampling for Real-Time Alpha Matting", Eurographics 2010: each pixel collects
/// candidates along a few rays, takes the pair that explains its colour best, then also tries the pairs of its
/// neighbours.
struct SampleMatting {
  private typealias Tuning = MatteTuning.Samples

  private static let phases = 4

  /// The neighbours whose pairs a pixel tries: itself, adjacent pixels, and some further away in all directions, at odd
  /// and even distances.
  private static let neighbours = [
    (0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 2), (-2, 1), (-1, -2), (2, -1), (3, 1), (-1, 3), (-3, -1), (1, -3),
    (4, 4), (-4, 3), (-3, -4), (4, -3), (6, 0), (-6, 1), (0, 6), (1, -6),
  ].map { (x: $0.0, y: $0.1) }

  /// The colours of person and background of which an unknown pixel is assumed to be a mixture.
  private struct Pair {
    var person: Colour
    var background: Colour
    var cost: Float
  }

  /// A colour found on a ray, and its distance in pixels.
  private struct Candidate {
    var colour: Colour
    var distance: Float
  }

  let image: Plane<Colour>
  let mask: Plane<Float>
  let trimap: Trimap

  /// The opacity of each pixel, 0…1.
  func opacity() -> Plane<Float> {
    let unknown = trimap.regions.indices.filter { trimap.regions[$0] == .unknown }
    let places = Self.places(of: unknown, count: trimap.regions.count)
    let pairs = Parallel.map(unknown) { pixels in
      var people: [Candidate] = []
      var backgrounds: [Candidate] = []
      return pixels.map { index in
        gather(index, &people, &backgrounds)
        return best(for: index, people, backgrounds)
      }
    }
    let opacities = Parallel.map(unknown) { pixels in pixels.map { shared($0, places, pairs) } }
    var result = Plane<Float>(width: image.width, height: image.height, repeating: 0)
    for index in result.values.indices where trimap.regions[index] == .person { result.values[index] = 1 }
    for (index, opacity) in zip(unknown, opacities) { result.values[index] = opacity }
    return result
  }

  /// The position in `unknown` of each of `count` pixels, −1 for those that are not in it.
  private static func places(of unknown: [Int], count: Int) -> [Int32] {
    var places = [Int32](repeating: -1, count: count)
    for (place, index) in unknown.enumerated() { places[index] = Int32(place) }
    return places
  }

  /// A step along a ray, counted from its pixel.
  private struct Step {
    var right: Int
    var down: Int
    var distance: Float
  }

  /// Rays in evenly spread directions, each with a step for each of ``distances``; the pixels of a 2 × 2 block use
  /// different ones.
  private static let fans: [[Step]] = (0..<phases).map { phase in
    directions(phase).flatMap { angle in distances.map { step(angle, $0) } }
  }
  /// For each ray, from a place on it to one a little further out.
  private static let outward: [[Step]] = (0..<phases).map { phase in directions(phase).map { step($0, Tuning.further) } }
  /// Every pixel near by, every second one further out.
  private static let distances =
    (Array(1...Tuning.near) + Array(stride(from: Tuning.near + 2, to: Tuning.reach, by: 2))).map(Float.init)

  private static func directions(_ phase: Int) -> [Float] {
    (0..<Tuning.rays).map { (Float(phase) / Float(phases) + Float($0)) / Float(Tuning.rays) * 2 * .pi }
  }

  private static func step(_ angle: Float, _ distance: Float) -> Step {
    Step(
      right: Int((cosf(angle) * distance).rounded()), down: Int((sinf(angle) * distance).rounded()), distance: distance)
  }

  /// Collects the colours of the first person's and the first background pixel on each ray.
  private func gather(_ index: Int, _ people: inout [Candidate], _ backgrounds: inout [Candidate]) {
    people.removeAll(keepingCapacity: true)
    backgrounds.removeAll(keepingCapacity: true)
    let (x, y) = (index % image.width, index / image.width)
    let phase = (x & 1) + 2 * (y & 1)
    let isFarInside = min(x, y, image.width - 1 - x, image.height - 1 - y) >= Tuning.reach
    trimap.regions.withUnsafeBufferPointer { regions in
      Self.fans[phase].withUnsafeBufferPointer { steps in
        for ray in 0..<Tuning.rays {
          let ray = ray * Self.distances.count
          let steps = UnsafeBufferPointer(rebasing: steps[ray..<ray + Self.distances.count])
          var (needsPerson, needsBackground) = (true, true)
          for step in steps {
            let (column, row) = (x &+ step.right, y &+ step.down)
            guard isFarInside || isInside(column, row) else { break }
            let at = row &* image.width &+ column
            let region = regions[at]
            if region == .unknown { continue }
            if region == .person, needsPerson {
              people.append(Candidate(colour: image.values[at], distance: step.distance))
              needsPerson = false
            } else if region == .background, needsBackground {
              backgrounds.append(Candidate(colour: image.values[at], distance: step.distance))
              // The colour a little further out as well: directly at the edge it may be mixed with the person's.
              let outward = Self.outward[phase][ray / Self.distances.count]
              if mask.values[index] < 0.5, let behind = background(column + outward.right, row + outward.down) {
                backgrounds.append(Candidate(colour: behind, distance: step.distance))
              }
              needsBackground = false
            }
            if !needsPerson, !needsBackground { break }
          }
        }
      }
    }
  }

  @inline(__always)
  private func isInside(_ column: Int, _ row: Int) -> Bool {
    column >= 0 && row >= 0 && column < image.width && row < image.height
  }

  private func background(_ column: Int, _ row: Int) -> Colour? {
    guard isInside(column, row) else { return nil }
    let at = row * image.width + column
    return trimap.regions[at] == .background ? image.values[at] : nil
  }

  private func best(for index: Int, _ people: [Candidate], _ backgrounds: [Candidate]) -> Pair {
    var best = Pair(person: image.values[index], background: image.values[index], cost: .infinity)
    for person in people {
      for background in backgrounds {
        let least = (person.distance + background.distance) * Tuning.distance
        // No cost is below 0, so that the total cannot be below this.
        if least >= best.cost { continue }
        let (_, cost) = judge(index, person.colour, background.colour)
        let total = cost + least
        if total < best.cost { best = Pair(person: person.colour, background: background.colour, cost: total) }
      }
    }
    return best
  }

  /// The opacity of the pixel as a mixture of these two colours, and the error of that explanation.
  @inline(__always)
  private func judge(_ index: Int, _ person: Colour, _ background: Colour) -> (alpha: Float, cost: Float) {
    let difference = person - background
    let colour = image.values[index] - background
    let length = (difference * difference).sum()
    let alpha = min(1, max(0, (colour * difference).sum() / max(length, 1e-6)))
    let error = colour - difference * alpha
    let misfit = (error * error).sum() / (Tuning.noise * Tuning.noise)
    let deviation = alpha - mask.values[index]
    // Colours that hardly differ say nothing; then the mask decides.
    let trust = length / (length + Tuning.vague)
    let prior = mask.values[index]
    let cost = misfit + deviation * deviation * Tuning.costs.deviation + (1 - trust) * Tuning.costs.vague
    // Outside the outline, what may be noise of the background is no haze of hair.
    let least = prior < Tuning.haze.below ? min(Tuning.haze.most, Tuning.noise / max(length.squareRoot(), 1e-3)) : 0
    return (max(0, (alpha - least) / (1 - least)) * trust + prior * (1 - trust), cost)
  }

  /// The mean opacity under the three pairs of the neighbourhood that explain the pixel best.
  private func shared(_ index: Int, _ places: [Int32], _ pairs: [Pair]) -> Float {
    let (x, y) = (index % image.width, index / image.width)
    var first: (alpha: Float, cost: Float) = (mask.values[index], .infinity)
    var second = first
    var third = first
    for offset in Self.neighbours {
      let (column, row) = (x + offset.x, y + offset.y)
      guard isInside(column, row) else { continue }
      let place = places[row * image.width + column]
      guard place >= 0, pairs[Int(place)].cost.isFinite else { continue }
      let pair = pairs[Int(place)]
      let found = judge(index, pair.person, pair.background)
      if found.cost < first.cost {
        (first, second, third) = (found, first, second)
      } else if found.cost < second.cost {
        (second, third) = (found, second)
      } else if found.cost < third.cost {
        third = found
      }
    }
    return (first.alpha + second.alpha + third.alpha) / 3
  }
}

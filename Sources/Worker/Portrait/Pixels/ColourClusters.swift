/// A few compact clusters of colours, by which it can be told whether another colour is usual among them.
///
/// Colours are compared by brightness and by two differences that hold their hue, each divided by a deviation below
/// which differences are noise: shading changes the brightness of a surface far more than its hue.
struct ColourClusters {
  private typealias Tuning = MatteTuning.Clusters

  struct Cluster {
    /// In deviations of noise.
    var mean: Colour
    /// The reciprocal of the standard deviation in each direction, at most 1: never finer than the noise.
    var inverseDeviation: Colour
    /// The part of the samples, 0…1.
    var share: Float

    /// The largest standard deviation of all directions, in deviations of noise.
    var spread: Float { max(1 / inverseDeviation.x, 1 / inverseDeviation.y, 1 / inverseDeviation.z) }

    /// The distance in standard deviations (Mahalanobis, with a diagonal covariance).
    @inline(__always)
    func distance(to place: Colour) -> Float {
      let difference = (place - mean) * inverseDeviation
      return (difference * difference).sum().squareRoot()
    }

    /// Whether both have clear hues, and the same one but for `1 - cosine` of the angle between them. More or less light
    /// makes the colours of such surfaces equal.
    func sharesHue(with other: Cluster, cosine: Float) -> Bool {
      let (own, theirs) = (mean * Colour(0, 1, 1, 0), other.mean * Colour(0, 1, 1, 0))
      let lengths = ((own * own).sum() * (theirs * theirs).sum()).squareRoot()
      let clear = Tuning.clearHue * Tuning.clearHue
      return (own * own).sum() > clear && (theirs * theirs).sum() > clear && (own * theirs).sum() > cosine * lengths
    }
  }

  private(set) var clusters: [Cluster]

  /// - Parameters:
  ///   - colours: gamma-coded samples.
  ///   - count: the most clusters.
  init(of colours: [Colour], count: Int) {
    let places = colours.map(Self.place)
    var groups = places.isEmpty ? [] : [places]
    while groups.count < count, let split = Self.split(groups) { groups = split }
    for _ in 0..<Tuning.rounds {
      let means = groups.map { Self.statistics($0).mean }
      groups = [[Colour]](repeating: [], count: means.count)
      for place in places { groups[Self.nearest(means, place)].append(place) }
      groups.removeAll { $0.isEmpty }
    }
    clusters = groups.map { group in
      let (mean, variance) = Self.statistics(group)
      // The fourth number is unused.
      let deviation = (variance.replacing(with: 1, where: variance .< 1)).squareRoot()
      return Cluster(
        mean: mean, inverseDeviation: Colour(repeating: 1) / deviation, share: Float(group.count) / Float(places.count))
    }
  }

  /// Only the clusters that `isKept`.
  func filtered(_ isKept: (Cluster) -> Bool) -> ColourClusters {
    var result = self
    result.clusters = clusters.filter(isKept)
    return result
  }

  /// Where a colour is among the clusters: brightness and the two differences of hue, in deviations of noise.
  @inline(__always)
  static func place(_ colour: Colour) -> Colour {
    let luma = colour.luma
    let noise = Tuning.noise
    return Colour(luma / noise.brightness, (colour.x - luma) / noise.hue, (colour.z - luma) / noise.hue, 0)
  }

  /// The distance of a colour's place to the nearest cluster in its standard deviations; infinite without clusters.
  @inline(__always)
  func distance(to place: Colour) -> Float {
    var least = Float.infinity
    for cluster in clusters { least = min(least, cluster.distance(to: place)) }
    return least
  }

  /// Whether a colour's place is between a cluster of these and one of `others`, on the side of these, and the two differ
  /// in hue by at least `hue`.
  func mix(with others: ColourClusters, to place: Colour, hue: Float, part: Float, misfit: Float) -> Bool {
    for own in clusters {
      for other in others.clusters {
        let difference = other.mean - own.mean
        guard difference.y * difference.y + difference.z * difference.z >= hue * hue else { continue }
        let offset = place - own.mean
        let found = (offset * difference).sum() / (difference * difference).sum()
        let rest = offset - difference * max(0, found)
        if found < part, (rest * rest).sum() < misfit * misfit { return true }
      }
    }
    return false
  }

  private static func statistics(_ group: [Colour]) -> (mean: Colour, variance: Colour) {
    let count = Float(max(1, group.count))
    let mean = group.reduce(Colour.zero, +) / count
    return (mean, group.reduce(Colour.zero) { $0 + ($1 - mean) * ($1 - mean) } / count)
  }

  /// The groups with the most spread-out one cut in two at its mean; nil when none is wider than the noise.
  private static func split(_ groups: [[Colour]]) -> [[Colour]]? {
    var widest: (group: Int, channel: Int, sum: Float) = (0, 0, 0)
    for (index, group) in groups.enumerated() {
      let variance = statistics(group).variance
      for channel in 0..<3 where variance[channel] > 1 && variance[channel] * Float(group.count) > widest.sum {
        widest = (index, channel, variance[channel] * Float(group.count))
      }
    }
    guard widest.sum > 0 else { return nil }
    let middle = statistics(groups[widest.group]).mean[widest.channel]
    let halves = [
      groups[widest.group].filter { $0[widest.channel] < middle },
      groups[widest.group].filter { $0[widest.channel] >= middle },
    ]
    guard halves.allSatisfy({ !$0.isEmpty }) else { return nil }
    return groups[..<widest.group] + halves + groups[(widest.group + 1)...]
  }

  private static func nearest(_ means: [Colour], _ place: Colour) -> Int {
    var best = (index: 0, distance: Float.infinity)
    for (index, mean) in means.enumerated() {
      let difference = place - mean
      let distance = (difference * difference).sum()
      if distance < best.distance { best = (index, distance) }
    }
    return best.index
  }
}

import AtelierProtocol

/// Recent durations of work on generations, the basis of estimates.
public struct DurationEstimator: Sendable {
  /// Work that takes about as long as other work of its kind.
  public struct Kind: Hashable, Sendable {
    public var provider: ProviderID
    public var recipe: Recipe

    public init(provider: ProviderID, recipe: Recipe) {
      self.provider = provider
      self.recipe = recipe
    }
  }

  /// The number of latest durations used; their median is not moved by one slow day.
  static let window = 25

  private var latest: [Kind: [Int64]] = [:]
  public private(set) var isSeeded = false

  public init() {}

  /// Adds the duration of a successful generation.
  public mutating func note(_ milliseconds: Int64, for kind: Kind) {
    var samples = latest[kind, default: []]
    if samples.count >= Self.window { samples.removeFirst(samples.count - Self.window + 1) }
    samples.append(max(0, milliseconds))
    latest[kind] = samples
  }

  /// Adds recorded earlier durations, newest first: durations noted here count as later.
  public mutating func seed(_ samples: [DurationSample]) {
    isSeeded = true
    for sample in samples {
      let kind = Kind(provider: sample.provider, recipe: sample.recipe)
      guard latest[kind, default: []].count < Self.window else { continue }
      latest[kind, default: []].insert(max(0, sample.milliseconds), at: 0)
    }
  }

  /// Typical milliseconds of work; nil before any duration is known.
  public func typicalMs(for kind: Kind) -> Int64? {
    guard let samples = latest[kind]?.sorted(), !samples.isEmpty else { return nil }
    return samples[samples.count / 2]
  }

  /// Milliseconds until the end of a generation that has been worked on for `elapsedMs`.
  public func remainingMs(for kind: Kind, elapsedMs: Int64) -> Int64? {
    typicalMs(for: kind).map { max(0, $0 - elapsedMs) }
  }

  /// Milliseconds until the end of the generation at `position` in a queue that has `slots` running at a time.
  public func waitMs(for kind: Kind, position: Int, slots: Int) -> Int64? {
    let rounds = Int64((max(1, position) - 1) / max(1, slots)) + 1
    return typicalMs(for: kind).map { $0 * rounds }
  }
}

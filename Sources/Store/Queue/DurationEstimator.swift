import AtelierProtocol

/// How long the work on generations has been taking lately: what estimates come from.
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

  /// So many of the latest count; of them the one in the middle, which one slow day does not move.
  static let window = 25

  private var latest: [Kind: [Int64]] = [:]
  public private(set) var isSeeded = false

  public init() {}

  /// Learns from one that succeeded.
  public mutating func note(_ milliseconds: Int64, for kind: Kind) {
    var samples = latest[kind, default: []]
    if samples.count >= Self.window { samples.removeFirst(samples.count - Self.window + 1) }
    samples.append(max(0, milliseconds))
    latest[kind] = samples
  }

  /// Learns from what is recorded of earlier ones, newest first: what was seen here counts as later.
  public mutating func seed(_ samples: [DurationSample]) {
    isSeeded = true
    for sample in samples {
      let kind = Kind(provider: sample.provider, recipe: sample.recipe)
      guard latest[kind, default: []].count < Self.window else { continue }
      latest[kind, default: []].insert(max(0, sample.milliseconds), at: 0)
    }
  }

  /// Typical milliseconds of work; nil before anything was learnt.
  public func typicalMs(for kind: Kind) -> Int64? {
    guard let samples = latest[kind]?.sorted(), !samples.isEmpty else { return nil }
    return samples[samples.count / 2]
  }

  /// Milliseconds until the end of a generation that has been worked on for `elapsedMs`.
  public func remainingMs(for kind: Kind, elapsedMs: Int64) -> Int64? {
    typicalMs(for: kind).map { max(0, $0 - elapsedMs) }
  }

  /// Milliseconds until the end of the one at `position` in a line, of which `places` are worked on at a time.
  public func waitMs(for kind: Kind, position: Int, places: Int) -> Int64? {
    let rounds = Int64((max(1, position) - 1) / max(1, places)) + 1
    return typicalMs(for: kind).map { $0 * rounds }
  }
}

/// How long the work on one generation took.
public struct DurationSample: Sendable, Equatable {
  public var provider: ProviderID
  public var recipe: Recipe
  public var milliseconds: Int64

  public init(provider: ProviderID, recipe: Recipe, milliseconds: Int64) {
    self.provider = provider
    self.recipe = recipe
    self.milliseconds = milliseconds
  }
}

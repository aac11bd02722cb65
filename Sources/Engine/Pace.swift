import AtelierProtocol
import Store

/// How long the work on generations has been taking lately: what estimates come from.
struct Pace: Sendable {
  /// Work that takes about as long as other work of its kind.
  struct Kind: Hashable, Sendable {
    var provider: ProviderID
    var recipe: Recipe

    init(provider: ProviderID, recipe: Recipe) {
      self.provider = provider
      self.recipe = recipe
    }

    init(_ work: GenerationWork) { self.init(provider: work.provider.id, recipe: work.request.recipe) }
  }

  /// So many of the latest count; of them the one in the middle, which one slow day does not move.
  static let window = 25

  private var latest: [Kind: [Int64]] = [:]
  private(set) var isSeeded = false

  /// Learns from one that succeeded.
  mutating func note(_ milliseconds: Int64, for kind: Kind) {
    var samples = latest[kind, default: []]
    if samples.count >= Self.window { samples.removeFirst(samples.count - Self.window + 1) }
    samples.append(max(0, milliseconds))
    latest[kind] = samples
  }

  /// Learns from what is recorded of earlier ones, newest first: what was seen here counts as later.
  mutating func seed(_ samples: [PaceSample]) {
    isSeeded = true
    for sample in samples {
      let kind = Kind(provider: sample.provider, recipe: sample.recipe)
      guard latest[kind, default: []].count < Self.window else { continue }
      latest[kind, default: []].insert(max(0, sample.milliseconds), at: 0)
    }
  }

  /// Typical milliseconds of work; nil before anything was learnt.
  func typicalMs(for kind: Kind) -> Int64? {
    guard let samples = latest[kind]?.sorted(), !samples.isEmpty else { return nil }
    return samples[samples.count / 2]
  }

  /// Milliseconds until the end of a generation that has been worked on for `elapsedMs`.
  func remainingMs(for kind: Kind, elapsedMs: Int64) -> Int64? {
    typicalMs(for: kind).map { max(0, $0 - elapsedMs) }
  }

  /// Milliseconds until the end of the one at `position` in a line, of which `places` are worked on at a time.
  func waitMs(for kind: Kind, position: Int, places: Int) -> Int64? {
    let rounds = Int64((max(1, position) - 1) / max(1, places)) + 1
    return typicalMs(for: kind).map { $0 * rounds }
  }
}

/// How much was made of what, how it ended, what it cost and how long it took: of generations that have ended and
/// are in history.
///
/// The numbers stay on this machine.
public struct UsageStatistics: RequestMessage {
  public static let method = "usage/statistics"
  public static let errors: [ErrorKind] = [.permissionDenied]

  /// The account, by the rule for accounts; `*` is everybody's.
  @Limited<AccountOrEverybody> public var account: AccountID?
  /// Only accepted on the day of this time, in UTC, or later.
  public var since: Timestamp?
  /// Only accepted on a day, in UTC, that began before this time.
  public var until: Timestamp?

  public init(account: AccountID? = nil, since: Timestamp? = nil, until: Timestamp? = nil) {
    self.account = account
    self.since = since
    self.until = until
  }

  /// Sums and times.
  public struct Result: Codable, Sendable, Equatable {
    /// Over everything.
    public var total: Sum
    /// By what was made, the most frequent first.
    public var byRecipe: [Group]
    /// By how they ended, the most frequent first.
    public var byState: [Group]
    /// Without those for which no provider was chosen.
    public var byProvider: [Group]
    /// By the kind of the error, of those that have one.
    public var byFailure: [Group]
    /// The latest day first; at most 366 days.
    public var byDay: [Day]
    /// How long they took.
    public var latency: Latency

    public init(
      total: Sum, byRecipe: [Group], byState: [Group], byProvider: [Group], byFailure: [Group], byDay: [Day],
      latency: Latency
    ) {
      self.total = total
      self.byRecipe = byRecipe
      self.byState = byState
      self.byProvider = byProvider
      self.byFailure = byFailure
      self.byDay = byDay
      self.latency = latency
    }
  }

  /// Sums over some generations.
  public struct Sum: Codable, Sendable, Equatable {
    /// How many there are.
    public var generations: Int
    /// Credits spent on them.
    public var creditsUsed: Int
    /// What providers charged, in US dollars, as far as it is known.
    public var costUsd: Double

    public init(generations: Int = 0, creditsUsed: Int = 0, costUsd: Double = 0) {
      self.generations = generations
      self.creditsUsed = creditsUsed
      self.costUsd = costUsd
    }
  }

  /// Sums over what has something in common.
  public struct Group: Codable, Sendable, Equatable {
    /// What they have in common: a recipe, a state, a provider's id, or the kind of an error.
    public var name: String
    /// How many there are.
    public var generations: Int
    /// Credits spent on them.
    public var creditsUsed: Int
    /// What providers charged, in US dollars, as far as it is known.
    public var costUsd: Double

    public init(name: String, generations: Int, creditsUsed: Int, costUsd: Double) {
      self.name = name
      self.generations = generations
      self.creditsUsed = creditsUsed
      self.costUsd = costUsd
    }
  }

  /// Sums over a day.
  public struct Day: Codable, Sendable, Equatable {
    /// In UTC, such as `2026-11-21`.
    public var day: String
    /// How many were accepted on that day.
    public var generations: Int
    /// Credits spent on them.
    public var creditsUsed: Int
    /// What providers charged, in US dollars, as far as it is known.
    public var costUsd: Double

    public init(day: String, generations: Int, creditsUsed: Int, costUsd: Double) {
      self.day = day
      self.generations = generations
      self.creditsUsed = creditsUsed
      self.costUsd = costUsd
    }
  }

  /// How long the newest took that delivered pictures and were not answered from the cache.
  public struct Latency: Codable, Sendable, Equatable {
    /// How many these are: at most 2,000.
    public var generations: Int
    /// Waiting for a free slot.
    public var queuedMs: Percentiles
    /// Reading and preparing the photo.
    public var preparingMs: Percentiles
    /// Sending to the provider.
    public var uploadingMs: Percentiles
    /// Making the pictures.
    public var processingMs: Percentiles
    /// Writing files and records.
    public var savingMs: Percentiles
    /// From acceptance to the end.
    public var totalMs: Percentiles

    public init(
      generations: Int, queuedMs: Percentiles, preparingMs: Percentiles, uploadingMs: Percentiles,
      processingMs: Percentiles, savingMs: Percentiles, totalMs: Percentiles
    ) {
      self.generations = generations
      self.queuedMs = queuedMs
      self.preparingMs = preparingMs
      self.uploadingMs = uploadingMs
      self.processingMs = processingMs
      self.savingMs = savingMs
      self.totalMs = totalMs
    }
  }

  /// The shortest time in milliseconds within which so many in a hundred were done; 0 where there are none.
  public struct Percentiles: Codable, Sendable, Equatable {
    /// Half of them took no longer.
    public var p50: Int64
    /// 95 in a hundred took no longer.
    public var p95: Int64
    /// 99 in a hundred took no longer.
    public var p99: Int64

    public init(p50: Int64 = 0, p95: Int64 = 0, p99: Int64 = 0) {
      self.p50 = p50
      self.p95 = p95
      self.p99 = p99
    }

    /// The nearest-rank percentiles of `times`.
    public init(of times: [Int64]) {
      let sorted = times.sorted()
      func nearest(_ hundredths: Int) -> Int64 {
        sorted.isEmpty ? 0 : sorted[max(0, (sorted.count * hundredths + 99) / 100 - 1)]
      }
      self.init(p50: nearest(50), p95: nearest(95), p99: nearest(99))
    }
  }
}

/// Counts the generations that have ended and are in history, by recipe, state, provider, error and day, with their
/// cost and duration.
///
/// The numbers stay on this machine.
public struct UsageStatistics: RequestMessage {
  public static let method = "usage/statistics"
  public static let errors: [ErrorKind] = [.permissionDenied]

  /// The account, or `*` for all accounts. Default: the connection's account, otherwise `owner`.
  @Limited<AccountOrEverybody> public var account: AccountID?
  /// Only generations accepted on the day of this time, in UTC, or later.
  public var since: Timestamp?
  /// Only generations accepted on a day, in UTC, that began before this time.
  public var until: Timestamp?

  public init(account: AccountID? = nil, since: Timestamp? = nil, until: Timestamp? = nil) {
    self.account = account
    self.since = since
    self.until = until
  }

  /// Sums and durations.
  public struct Result: Codable, Sendable, Equatable {
    /// Sums over all of them.
    public var total: Sum
    /// By recipe, the most frequent first.
    public var byRecipe: [Group]
    /// By state, the most frequent first.
    public var byState: [Group]
    /// By provider; without generations that ended before a provider was chosen.
    public var byProvider: [Group]
    /// By kind of error; only generations that have an error.
    public var byFailure: [Group]
    /// By day, the latest first; at most 366 days.
    public var byDay: [Day]
    /// How long the generations took.
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

  /// Sums over generations.
  public struct Sum: Codable, Sendable, Equatable {
    /// The number of generations.
    public var generations: Int
    /// Credits spent on them.
    public var creditsUsed: Int
    /// What the providers charged, in US dollars, as far as known.
    public var costUsd: Double

    public init(generations: Int = 0, creditsUsed: Int = 0, costUsd: Double = 0) {
      self.generations = generations
      self.creditsUsed = creditsUsed
      self.costUsd = costUsd
    }
  }

  /// Sums over the generations of a group.
  public struct Group: Codable, Sendable, Equatable {
    /// What they have in common: a recipe, a state, the id of a provider, or a kind of error.
    public var name: String
    /// The number of generations.
    public var generations: Int
    /// Credits spent on them.
    public var creditsUsed: Int
    /// What the providers charged, in US dollars, as far as known.
    public var costUsd: Double

    public init(name: String, generations: Int, creditsUsed: Int, costUsd: Double) {
      self.name = name
      self.generations = generations
      self.creditsUsed = creditsUsed
      self.costUsd = costUsd
    }
  }

  /// Sums over the generations of a day.
  public struct Day: Codable, Sendable, Equatable {
    /// The day in UTC, such as `2026-11-21`.
    public var day: String
    /// The number of generations accepted on that day.
    public var generations: Int
    /// Credits spent on them.
    public var creditsUsed: Int
    /// What the providers charged, in US dollars, as far as known.
    public var costUsd: Double

    public init(day: String, generations: Int, creditsUsed: Int, costUsd: Double) {
      self.day = day
      self.generations = generations
      self.creditsUsed = creditsUsed
      self.costUsd = costUsd
    }
  }

  /// Durations of the newest generations that delivered pictures and did not reuse an earlier result.
  public struct Latency: Codable, Sendable, Equatable {
    /// The number of these generations: at most 2,000.
    public var generations: Int
    /// Waiting for a free slot or for the provider.
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

  /// Percentiles in milliseconds; 0 if there are no generations.
  public struct Percentiles: Codable, Sendable, Equatable {
    /// Half of the generations took no longer.
    public var p50: Int64
    /// 95 % of the generations took no longer.
    public var p95: Int64
    /// 99 % of the generations took no longer.
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

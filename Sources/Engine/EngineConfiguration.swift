import AtelierProtocol
import Imaging
import Providers
import Store
import Templates

/// What an operator may change about the engine. The defaults are the ones of the requirements.
public struct EngineConfiguration: Sendable {
  /// How patient the engine is with providers, by recipe. Headshots are never sent twice (REQUIREMENTS 5.3).
  public var policies: [Recipe: RecipePolicy] = [
    .hairstyle: RecipePolicy(retries: 3), .edit: RecipePolicy(retries: 3), .create: RecipePolicy(retries: 3),
    .places: RecipePolicy(retries: 3),
  ]
  /// How long a provider is left alone that refused for being asked too often and named no time, in milliseconds
  /// (REQUIREMENTS 5.4).
  public var cooldownMs = 300_000
  /// What becomes of requests that wait for their provider.
  public var queue = QueuePolicy()
  /// How many generations a process works on or has waiting at a time; more are refused with `overloaded`.
  public var maximumOpen = 10_000
  /// The largest file `generate` takes, in bytes (REQUIREMENTS 2.2).
  public var maximumImageBytes = 7 * 1_048_576
  /// The largest file `image/prepare` takes, in bytes (REQUIREMENTS 2.2).
  public var maximumPrepareBytes = 40 * 1_048_576
  /// How long prepared inputs are kept for regenerate and refine, in milliseconds; 0 keeps none (REQUIREMENTS 7.2).
  public var preparedLifetimeMs: Int64 = 24 * 3_600_000
  /// What credits are given for, what costs them and what they are sold as.
  public var credits = CreditPolicy()
  /// How much history is kept; without bound unless the operator says otherwise (REQUIREMENTS 7.3).
  public var historyCaps = HistoryLimits()
  /// The longest silence between two notifications while work goes on, in milliseconds (REQUIREMENTS 4.1: one a second).
  public var heartbeatMs: Int64 = 800
  /// The longest side of a thumbnail, in pixels.
  public var thumbnailSide = 256
  /// The most bytes of a page of history, so that its line stays below what line-reading hosts take (PROTOCOL 1).
  public var pageBytes = 56 * 1024

  public init() {}

  /// How patient the engine is for `recipe`.
  public func policy(for recipe: Recipe) -> RecipePolicy { policies[recipe] ?? RecipePolicy() }
}

/// How patient the engine is with providers for one recipe (REQUIREMENTS 3.6, 5.3).
public struct RecipePolicy: Sendable, Equatable {
  /// The longest a generation may work, in milliseconds.
  public var timeoutMs = 60_000
  /// How often a request that was refused for the moment (429, 503) is sent again to the same provider.
  public var retries = 0
  /// The pause before the first of them, in milliseconds; each further one is twice as long.
  public var backoffMs = 1000
  /// The longest of these pauses, in milliseconds. A provider that asks for a longer one gets it.
  public var maximumBackoffMs = 30_000

  public init(timeoutMs: Int = 60_000, retries: Int = 0, backoffMs: Int = 1000, maximumBackoffMs: Int = 30_000) {
    self.timeoutMs = timeoutMs
    self.retries = retries
    self.backoffMs = backoffMs
    self.maximumBackoffMs = maximumBackoffMs
  }
}

/// What the owners of the engine's state share. None of it changes.
struct EngineParts: Sendable {
  let configuration: EngineConfiguration
  let surroundings: Surroundings
  let providers: ProviderRegistry
  let monitor: ProviderMonitor
  let lazyStore: LazyStore
  let templates: ReloadingTemplates
  let intake: PhotoIntake
  let worker: ImagingWorker
  /// Tells hosts what an account has to spend when this process has changed it.
  let balances: BalanceNotifier
  /// Told progress and ends, in order; must not block.
  let announce: @Sendable (Announcement) -> Void

  init(
    configuration: EngineConfiguration, surroundings: Surroundings, providers: ProviderRegistry,
    monitor: ProviderMonitor, lazyStore: LazyStore, templates: ReloadingTemplates, worker: ImagingWorker,
    announce: @escaping @Sendable (Announcement) -> Void
  ) {
    self.configuration = configuration
    self.surroundings = surroundings
    self.providers = providers
    self.monitor = monitor
    self.lazyStore = lazyStore
    self.templates = templates
    self.worker = worker
    self.announce = announce
    intake = PhotoIntake(
      photos: PhotoSource(lazyStore: lazyStore, maximumBytes: configuration.maximumImageBytes), worker: worker)
    balances = BalanceNotifier(lazyStore: lazyStore, announce: announce)
  }

  /// Half of the longest silence: looking twice in that time, no silence gets longer than it.
  var beat: Duration { .milliseconds(configuration.heartbeatMs / 2) }

  /// Repeats what a full disk or a busy database refuses, once a beat, until it is done: pictures that were paid for are
  /// not thrown away for want of room.
  /// - Throws: any other error at once; `CancellationError` when the task is cancelled.
  func persistently<Value>(_ work: () async throws -> Value) async throws -> Value {
    while true {
      do {
        return try await work()
      } catch let error as AtelierError where error.isOfTheStoreForNow {
        try await surroundings.sleep(beat)
      }
    }
  }
}

extension AtelierError {
  /// Whether the store could not do it now and may later: no room on the disk, or another process writes.
  var isOfTheStoreForNow: Bool { kind == .storageFull || kind == .overloaded }
}

/// Everything that would make two runs differ: passed in, so that a transcript replays byte for byte.
public struct Surroundings: Sendable {
  /// The time of day, for records.
  public var now: @Sendable () -> Timestamp
  /// Milliseconds on a clock that never jumps, for durations.
  public var uptimeMs: @Sendable () -> Int64
  /// A new opaque id that begins with `prefix`, such as `gen_`.
  public var makeIdentifier: @Sendable (_ prefix: String) -> String
  /// Waits; throws `CancellationError` at once when the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void
  /// Spreads retries over time.
  public var random: @Sendable () -> UInt64
  /// Told what an operator should know of; must not block.
  public var log: @Sendable (_ line: String) -> Void

  public init(
    now: @escaping @Sendable () -> Timestamp,
    uptimeMs: @escaping @Sendable () -> Int64,
    makeIdentifier: @escaping @Sendable (_ prefix: String) -> String,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    random: @escaping @Sendable () -> UInt64,
    log: @escaping @Sendable (_ line: String) -> Void = { _ in }
  ) {
    self.now = now
    self.uptimeMs = uptimeMs
    self.makeIdentifier = makeIdentifier
    self.sleep = sleep
    self.random = random
    self.log = log
  }
}

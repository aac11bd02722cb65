import AtelierProtocol
import Imaging
import POSIX
import Providers
import Store
import Templates

/// The engine settings that an operator may change.
public struct EngineConfiguration: Sendable {
  /// The timeouts and retries by recipe. Headshots are never sent twice.
  public var policies: [Recipe: RecipePolicy] = [
    .hairstyle: RecipePolicy(retries: 3), .edit: RecipePolicy(retries: 3), .create: RecipePolicy(retries: 3),
    .places: RecipePolicy(timeoutMs: 120_000, retries: 3),
  ]
  /// The cooldown of a provider after a rate-limit refusal that names no time, in milliseconds.
  public var cooldownMs = 300_000
  /// How the offline queue treats requests that wait for their provider.
  public var queue = QueuePolicy()
  /// The most generations a process works on or has waiting at a time; more are refused with `overloaded`.
  public var maximumOpen = 10_000
  /// The largest file `generate` takes, in bytes.
  public var maximumImageBytes = 7_000_000
  /// The largest file `image/prepare` takes, in bytes.
  public var maximumPrepareBytes = PrepareJob.maximumInputBytes
  /// How long prepared inputs are kept for regenerate and refine, in milliseconds; 0 keeps none.
  public var preparedLifetimeMs: Int64 = 24 * 3_600_000
  /// Free credits, prices and products.
  public var credits = CreditPolicy()
  /// The folders that confined connections may use; none unless the operator opens some.
  public var access = HostAccess()
  /// How much history is kept; unlimited unless the operator sets a limit.
  public var historyCaps = HistoryLimits()
  /// The longest silence between two notifications while work goes on, in milliseconds: hosts expect one a second.
  public var heartbeatMs: Int64 = 800
  /// The longest side of a thumbnail, in pixels.
  public var thumbnailSide = 256
  /// The maximum size of a history page in bytes, so that its line stays below the line limit of hosts.
  public var pageBytes = 56 * 1024

  public init() {}

  var heartbeatInterval: Duration { .milliseconds(heartbeatMs / 2) }

  /// The timeouts and retries for `recipe`.
  public func policy(for recipe: Recipe) -> RecipePolicy { policies[recipe] ?? RecipePolicy() }
}

/// The folders of the host's files that confined connections may use.
public struct HostAccess: Sendable, Equatable {
  /// Files in these may be read.
  public var read: AllowedFolders
  /// Pictures and exports may be written into these.
  public var write: AllowedFolders

  public init(read: AllowedFolders = AllowedFolders(), write: AllowedFolders = AllowedFolders()) {
    self.read = read
    self.write = write
  }

  /// Whether a confined connection may be told this path.
  public func shows(_ path: String) -> Bool { read.contain(path) || write.contain(path) }
}

/// The timeouts and retries for one recipe.
public struct RecipePolicy: Sendable, Equatable {
  /// The longest a generation may work, in milliseconds.
  public var timeoutMs = 60_000
  /// The same where a server on this machine is asked first, whose model may be slow.
  public var timeoutOfServerHereMs = 600_000
  /// How many times a temporarily refused request (429, 503) is sent again to the same provider.
  public var retries = 0
  /// The pause before the first retry, in milliseconds; each further one is twice as long.
  public var backoffMs = 1000
  /// The longest of these pauses, in milliseconds. A provider that asks for a longer one gets it.
  public var maximumBackoffMs = 30_000

  public init(timeoutMs: Int = 60_000, retries: Int = 0, backoffMs: Int = 1000, maximumBackoffMs: Int = 30_000) {
    self.timeoutMs = timeoutMs
    self.retries = retries
    self.backoffMs = backoffMs
    self.maximumBackoffMs = maximumBackoffMs
  }

  /// Sets the limit for every provider.
  public mutating func limit(toMs milliseconds: Int) {
    timeoutMs = milliseconds
    timeoutOfServerHereMs = milliseconds
  }

  /// The limit of a generation that asks this provider first.
  func timeoutMs(asking profile: ProviderProfile) -> Int {
    profile.isServedHere ? timeoutOfServerHereMs : timeoutMs
  }
}

/// The immutable parts that the owners of the engine's state share.
struct EngineParts: Sendable {
  let configuration: EngineConfiguration
  let surroundings: Surroundings
  let providers: ProviderRegistry
  /// Looks places up; nil when the operator configured none.
  let geocoder: NominatimGeocoder?
  let monitor: ProviderMonitor
  let lazyStore: LazyStore
  let templates: ReloadingTemplates
  let intake: PhotoIntake
  let worker: ImagingWorker
  /// How far the process is on its way out.
  let leaving = LeavingProgress()
  /// Lets work be tried again that the store cannot do now.
  let storeRetries: StoreRetries
  /// Notifies hosts of balances that this process has changed.
  let balances: BalanceNotifier
  /// Receives progress and ends, in order; must not block.
  let announce: @Sendable (Announcement) -> Void

  init(
    configuration: EngineConfiguration, surroundings: Surroundings, providers: ProviderRegistry,
    geocoder: NominatimGeocoder?, monitor: ProviderMonitor, lazyStore: LazyStore, templates: ReloadingTemplates,
    worker: ImagingWorker,
    announce: @escaping @Sendable (Announcement) -> Void
  ) {
    self.configuration = configuration
    self.surroundings = surroundings
    self.providers = providers
    self.geocoder = geocoder
    self.monitor = monitor
    self.lazyStore = lazyStore
    self.templates = templates
    self.worker = worker
    self.announce = announce
    intake = PhotoIntake(
      photos: PhotoSource(
        lazyStore: lazyStore, maximumBytes: configuration.maximumImageBytes, readable: configuration.access.read),
      worker: worker)
    storeRetries = StoreRetries(surroundings, heartbeatInterval: configuration.heartbeatInterval)
    balances = BalanceNotifier(lazyStore: lazyStore, announce: announce)
  }

  /// The folder into which a generation's pictures are copied; nil if the request names none.
  func outputDirectory(of request: Generate, isConfined: Bool) -> OutputDirectory? {
    request.output?.directory.map {
      OutputDirectory(path: $0, within: isConfined ? configuration.access.write : nil)
    }
  }

  /// The interval of the heartbeat: half of the longest silence, so that no silence exceeds it.
  var heartbeatInterval: Duration { configuration.heartbeatInterval }

  /// Repeats what fails because of the machine or a busy database until it succeeds, in turns with everything else that
  /// fails so: paid pictures are not discarded because of a disk.
  /// - Throws: any other error at once; `CancellationError` when the task is cancelled.
  func persistently<Value>(_ work: () async throws -> Value) async throws -> Value {
    var hasTurn = false
    while true {
      do {
        let value = try await work()
        if hasTurn { await storeRetries.tried(hasSucceeded: true) }
        return value
      } catch let error as AtelierError where error.isOfTheStoreForNow {
        if hasTurn { await storeRetries.tried(hasSucceeded: false) }
        hasTurn = false
        try await storeRetries.turn()
        hasTurn = true
      } catch {
        if hasTurn { await storeRetries.tried(hasSucceeded: nil) }
        throw error
      }
    }
  }
}

extension AtelierError {
  /// Whether the store cannot do it now but may later: the disk is full or fails, its files are not in their place, no
  /// more files can be opened, or another process writes.
  var isOfTheStoreForNow: Bool { kind == .storageUnavailable || kind == .storageFull || kind == .overloaded }
}

/// Every source of nondeterminism: injected, so that a transcript replays byte for byte.
public struct Surroundings: Sendable {
  /// The wall-clock time, for records.
  public var now: @Sendable () -> Timestamp
  /// Milliseconds on a monotonic clock, for durations.
  public var uptimeMs: @Sendable () -> Int64
  /// A new opaque id that begins with `prefix`, such as `gen_`.
  public var makeIdentifier: @Sendable (_ prefix: String) -> String
  /// Waits; throws `CancellationError` at once when the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void
  /// Randomness that spreads retries over time.
  public var random: @Sendable () -> UInt64
  /// Receives log lines for operators; must not block.
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

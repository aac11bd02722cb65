import AtelierProtocol
import Imaging
import POSIX
import Providers
import Store

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

import AtelierProtocol
import Identities
import Imaging
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
  /// The most bytes of finished pictures that wait in memory for a store that cannot keep them now.
  public var maximumKeptBytes = 1 << 28
  /// The largest file `generate` takes, in bytes.
  public var maximumImageBytes = 7_000_000
  /// The largest file `image/prepare` takes, in bytes.
  public var maximumPrepareBytes = PrepareJob.maximumInputBytes
  /// How long prepared inputs are kept for regenerate and refine, in milliseconds; 0 keeps none.
  public var preparedLifetimeMs: Int64 = 24 * 3_600_000
  /// Free credits, prices and products.
  public var credits = CreditPolicy()
  /// Whose identity tokens are accepted; nobody's unless the operator names issuers.
  public var issuers: [IdentityIssuer] = []
  /// What a person must have accepted before anything is made; nil for nothing.
  public var requiredConsent: RequiredConsent?
  /// The folders that confined connections may use; none unless the operator opens some.
  public var access = HostAccess()
  /// How much history is kept; unlimited unless the operator sets a limit.
  public var historyCaps = HistoryLimits()
  /// The longest silence between two notifications while work goes on, in milliseconds: hosts expect one a second.
  public var heartbeatMs: Int64 = 800
  /// What is drawn over small pictures where a host asks for it; nil unless the operator names a file.
  public var watermark: WatermarkFile?
  /// The sizes of photos for passports that have a name.
  public var passports = PassportTable.builtIn
  /// Whether hosts get links to pictures in a bucket, with which anybody can read them; only if the operator says so.
  public var givesLinks = false
  /// The longest side of a thumbnail, in pixels.
  public var thumbnailSide = 256
  /// The maximum size of a history page in bytes, so that its line stays below the line limit of hosts.
  public var pageBytes = 56 * 1024

  public init() {}

  var heartbeatInterval: Duration { .milliseconds(heartbeatMs / 2) }

  /// How long the work on a request may take, in milliseconds.
  func timeLimitMs(of work: GenerationWork) -> Int {
    work.request.timeoutMs ?? policy(for: work.request.recipe).timeoutMs(asking: work.lineup.first.profile)
  }

  /// The timeouts and retries for `recipe`.
  public func policy(for recipe: Recipe) -> RecipePolicy { policies[recipe] ?? RecipePolicy() }
}

/// The terms of use that a person must have accepted.
public struct RequiredConsent: Sendable, Equatable {
  /// Their version; nil for any.
  public var version: String?

  public init(version: String? = nil) { self.version = version }
}

import AtelierProtocol
import Engine
import Imaging
import POSIX
import Providers

/// The operator's configuration: a JSON object; every member has a default, an unknown one is an error.
struct ConfigurationFile: Decodable, Sendable {
  /// The time limit of a generation, in milliseconds, for all recipes.
  var generationTimeoutMs: Int?
  /// The providers of each recipe, and its timeouts and retries.
  var recipes: Recipes?
  /// How long to wait for a provider that refused without naming a time, in seconds.
  var cooldownSeconds: Int?
  /// The handling of requests that wait for their provider.
  var queue: Queue?
  /// Which providers there are, in which order they are asked, and how those in the cloud are reached.
  var providers: Providers?
  /// The geocoder that verifies places.
  var geocoder: Geocoder?
  /// The prices of models, in place of the built-in ones.
  var prices: PriceTable?
  /// Grants, costs and prices of credits.
  var credits: Credits?
  /// Who signs people in, and what they must accept.
  var accounts: Accounts?
  /// The folders that confined connections may use.
  var access: Access?
  /// The process that decodes pictures.
  var imaging: Imaging?
  /// How small pictures are shown, and what photos for passports may be called.
  var pictures: Pictures?
  /// Where history, queue and ledger are, if not in the data directory.
  var store: StoreLocation?
  /// Where pictures are kept.
  var artifacts: Artifacts?
  /// How long prepared inputs are kept, in hours; 0 keeps none.
  var preparedHours: Int?
  /// Generations older than this are deleted, in days; absent keeps them for ever.
  var historyDays: Int?
  /// Above this total size, in megabytes, the oldest generations are deleted; absent keeps all.
  var historyMegabytes: Int?

  /// The defaults with the file's values applied.
  /// - Throws: ``ConfigurationFault`` for an invalid value.
  func engineConfiguration() async throws -> EngineConfiguration {
    var configuration = EngineConfiguration()
    if let generationTimeoutMs {
      guard (1...3_600_000).contains(generationTimeoutMs) else {
        throw ConfigurationFault("generationTimeoutMs", "must be from 1 to 3600000 (an hour).")
      }
      for recipe in Recipe.allCases {
        configuration.policies[recipe, default: RecipePolicy()].limit(toMs: generationTimeoutMs)
      }
    }
    try recipes?.apply(to: &configuration)
    if let queue { configuration.queue = try queue.policy() }
    if let credits { configuration.credits = try await credits.policy() }
    if let accounts {
      configuration.issuers = try accounts.identityIssuers()
      configuration.requiredConsent = try accounts.requiredConsent()
    }
    if let access { configuration.access = try access.hostAccess() }
    configuration.watermark = try await pictures?.watermarkFile()
    configuration.passports = try pictures?.passportTable() ?? .builtIn
    configuration.givesLinks = artifacts?.presignedLinks ?? false
    if let cooldownSeconds {
      guard (0...86_400).contains(cooldownSeconds) else {
        throw ConfigurationFault("cooldownSeconds", "must be from 0 to 86400 (a day).")
      }
      configuration.cooldownMs = cooldownSeconds * 1000
    }
    if let preparedHours {
      guard (0...8760).contains(preparedHours) else {
        throw ConfigurationFault("preparedHours", "must be from 0 to 8760 (a year).")
      }
      configuration.preparedLifetimeMs = Int64(preparedHours) * 3_600_000
    }
    if let historyDays {
      guard (1...36_500).contains(historyDays) else {
        throw ConfigurationFault("historyDays", "must be from 1 to 36500 (a hundred years).")
      }
      configuration.historyCaps.maximumAgeMs = Int64(historyDays) * 86_400_000
    }
    if let historyMegabytes {
      guard (1...100_000_000).contains(historyMegabytes) else {
        throw ConfigurationFault("historyMegabytes", "must be from 1 to 100000000.")
      }
      configuration.historyCaps.maximumBytes = historyMegabytes * 1_000_000
    }
    return configuration
  }
}

extension ConfigurationFile {
  /// The folders that confined connections may use.
  struct Access: Codable, Sendable, Equatable {
    /// Photos in these may be read.
    var read: [String]?
    /// Pictures and exports may be written into these.
    var write: [String]?
  }
}

extension ConfigurationFile.Access {
  /// - Throws: ``ConfigurationFault`` for what is no folder.
  func hostAccess() throws -> HostAccess {
    HostAccess(read: try Self.folders(read, "read"), write: try Self.folders(write, "write"))
  }

  private static func folders(_ paths: [String]?, _ member: String) throws -> AllowedFolders {
    let folders = AllowedFolders(paths ?? [])
    for (index, path) in folders.paths.enumerated() where !AllowedFolders.isFolder(path) {
      throw ConfigurationFault("access/\(member)/\(index)", "must be the absolute path of an existing folder.")
    }
    return folders
  }
}

extension ConfigurationFile {
  /// The process that decodes pictures.
  struct Imaging: Codable, Sendable, Equatable {
    /// What must confine it at least; otherwise it decodes nothing.
    var minimumConfinement: MinimumConfinement?
  }

  /// The options of the worker.
  var workerOptions: WorkerOptions {
    WorkerOptions(
      minimumConfinement: imaging?.minimumConfinement ?? WorkerOptions().minimumConfinement,
      allowsDebugger: Environment.allowsDebugger)
  }
}

extension ConfigurationFile {
  /// The handling of requests that wait for their provider.
  struct Queue: Codable, Sendable, Equatable {
    /// How long a request waits if it does not say, in milliseconds.
    var deadlineMs: Int?
    /// How often the provider may refuse a request before it fails.
    var attempts: Int?
    /// The first pause between two checks of an unreachable provider, in milliseconds; each further one is twice as
    /// long.
    var probeMs: Int?
    /// The longest of these pauses, in milliseconds.
    var maximumProbeMs: Int?
  }
}

extension ConfigurationFile.Queue {
  /// The defaults with these values applied.
  /// - Throws: ``ConfigurationFault`` for an invalid value.
  func policy() throws -> QueuePolicy {
    let day = 86_400_000
    var policy = QueuePolicy()
    if let deadlineMs = try checked(deadlineMs, "deadlineMs", 1...30 * day) { policy.deadlineMs = Int64(deadlineMs) }
    policy.attempts = try checked(attempts, "attempts", 1...100) ?? policy.attempts
    policy.probes.firstMs = try checked(probeMs, "probeMs", 1...day) ?? policy.probes.firstMs
    policy.probes.longestMs = try checked(maximumProbeMs, "maximumProbeMs", 1...day) ?? policy.probes.longestMs
    return policy
  }

  private func checked(_ value: Int?, _ name: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let value, !range.contains(value) else { return value }
    throw ConfigurationFault("queue/\(name)", "must be from \(range.lowerBound) to \(range.upperBound).")
  }
}

extension ConfigurationFile {
  /// The settings of each recipe.
  struct Recipes: Codable, Sendable, Equatable {
    var headshot: RecipeSettings?
    var hairstyle: RecipeSettings?
    var edit: RecipeSettings?
    var create: RecipeSettings?
    var places: RecipeSettings?
  }

  /// The settings of one recipe.
  struct RecipeSettings: Codable, Sendable, Equatable {
    /// The order of the providers for requests that name none, in place of the overall one.
    var providers: [ProviderID]?
    /// The time limit of a generation, in milliseconds.
    var timeoutMs: Int?
    /// How often a temporarily refused request (429, 503) is repeated.
    var retries: Int?
    /// The pause before the first repetition, in milliseconds; each further one is twice as long.
    var backoffMs: Int?
    /// The longest of these pauses, in milliseconds.
    var maximumBackoffMs: Int?
  }
}

extension ConfigurationFile.Recipes {
  /// Applies these values to the defaults.
  /// - Throws: ``ConfigurationFault`` for an invalid value.
  func apply(to configuration: inout EngineConfiguration) throws {
    for (recipe, settings) in given {
      try settings.apply(to: &configuration.policies[recipe, default: RecipePolicy()], of: recipe)
    }
  }

  /// The settings that the file has.
  var given: [(recipe: Recipe, settings: ConfigurationFile.RecipeSettings)] {
    let all = [(Recipe.headshot, headshot), (.hairstyle, hairstyle), (.edit, edit), (.create, create), (.places, places)]
    return all.compactMap { recipe, settings in settings.map { (recipe, $0) } }
  }
}

extension ConfigurationFile.RecipeSettings {
  fileprivate func apply(to policy: inout RecipePolicy, of recipe: Recipe) throws {
    let hour = 3_600_000
    if let timeoutMs = try checked(timeoutMs, "timeoutMs", 1...hour, recipe) { policy.limit(toMs: timeoutMs) }
    policy.retries = try checked(retries, "retries", 0...10, recipe) ?? policy.retries
    policy.backoffMs = try checked(backoffMs, "backoffMs", 1...hour, recipe) ?? policy.backoffMs
    policy.maximumBackoffMs =
      try checked(maximumBackoffMs, "maximumBackoffMs", 1...hour, recipe) ?? policy.maximumBackoffMs
  }

  private func checked(_ value: Int?, _ name: String, _ range: ClosedRange<Int>, _ recipe: Recipe) throws -> Int? {
    guard let value, !range.contains(value) else { return value }
    throw ConfigurationFault(
      "recipes/\(recipe.rawValue)/\(name)", "must be from \(range.lowerBound) to \(range.upperBound).")
  }
}

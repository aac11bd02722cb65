import AtelierProtocol
import Engine
import Imaging
import JSONRPC
import Providers

/// The operator's configuration: a JSON object; every member has a default, an unknown one is an error.
struct ConfigurationFile: Codable, Sendable, Equatable {
  /// The longest a generation may work, in milliseconds, whatever its recipe.
  var generationTimeoutMs: Int?
  /// How patient to be with providers, by recipe.
  var recipes: Recipes?
  /// How long a provider is left alone that refused and named no time, in seconds.
  var cooldownSeconds: Int?
  /// What becomes of requests that wait for their provider.
  var queue: Queue?
  /// How the cloud providers are reached.
  var providers: CloudProviders?
  /// What models cost, over the prices that are known here.
  var prices: PriceTable?
  /// What credits are given for, what costs them and what they are sold as.
  var credits: Credits?
  /// How long prepared inputs are kept, in hours; 0 keeps none.
  var preparedHours: Int?
  /// Generations older than this are forgotten, in days; absent keeps them for ever.
  var historyDays: Int?
  /// Beyond this much, in megabytes, the oldest generations are forgotten; absent keeps all.
  var historyMegabytes: Int?

  /// Reads the file.
  /// - Throws: `CommandFailure` with what is wrong and where.
  static func read(_ path: String) async throws -> ConfigurationFile {
    do {
      let bytes = try await PhotoFile.read(path, maximumBytes: 1 << 20)
      let value = try JSONValue(parsing: bytes)
      return try JSONValueDecoder(unknownMembers: .reject).decode(Self.self, from: value)
    } catch let error as ImagingError {
      throw CommandFailure(sentence: "The configuration file cannot be read: \(error.message)")
    } catch let error as JSONDecodingFailure {
      throw CommandFailure(sentence: "\(path): \(error.path) must be \(error.expected).")
    } catch {
      throw CommandFailure(sentence: "\(path) is not valid JSON: \(error)")
    }
  }

  /// The defaults with what the file says put over them.
  /// - Throws: `CommandFailure` for a value that makes no sense.
  func engineConfiguration() async throws -> EngineConfiguration {
    var configuration = EngineConfiguration()
    if let generationTimeoutMs {
      guard (1...3_600_000).contains(generationTimeoutMs) else {
        throw CommandFailure(sentence: "generationTimeoutMs must be from 1 to 3600000 (an hour).")
      }
      for recipe in Recipe.allCases {
        configuration.policies[recipe, default: RecipePolicy()].timeoutMs = generationTimeoutMs
      }
    }
    try recipes?.apply(to: &configuration)
    if let queue { configuration.queue = try queue.policy() }
    if let credits { configuration.credits = try await credits.policy() }
    if let cooldownSeconds {
      guard (0...86_400).contains(cooldownSeconds) else {
        throw CommandFailure(sentence: "cooldownSeconds must be from 0 to 86400 (a day).")
      }
      configuration.cooldownMs = cooldownSeconds * 1000
    }
    if let preparedHours {
      guard (0...8760).contains(preparedHours) else {
        throw CommandFailure(sentence: "preparedHours must be from 0 to 8760 (a year).")
      }
      configuration.preparedLifetimeMs = Int64(preparedHours) * 3_600_000
    }
    if let historyDays {
      guard (1...36_500).contains(historyDays) else {
        throw CommandFailure(sentence: "historyDays must be from 1 to 36500 (a hundred years).")
      }
      configuration.historyCaps.maximumAgeMs = Int64(historyDays) * 86_400_000
    }
    if let historyMegabytes {
      guard (1...100_000_000).contains(historyMegabytes) else {
        throw CommandFailure(sentence: "historyMegabytes must be from 1 to 100000000.")
      }
      configuration.historyCaps.maximumBytes = historyMegabytes * 1_000_000
    }
    return configuration
  }
}

import AtelierProtocol
import Engine

extension ConfigurationFile {
  /// How patient to be with providers, by recipe.
  struct Recipes: Codable, Sendable, Equatable {
    var headshot: Patience?
    var hairstyle: Patience?
    var edit: Patience?
    var create: Patience?
    var places: Patience?
  }

  /// How patient to be for one recipe.
  struct Patience: Codable, Sendable, Equatable {
    /// The longest a generation may work, in milliseconds.
    var timeoutMs: Int?
    /// How often a request that was refused for the moment (429, 503) is sent again.
    var retries: Int?
    /// The pause before the first of them, in milliseconds; each further one is twice as long.
    var backoffMs: Int?
    /// The longest of these pauses, in milliseconds.
    var maximumBackoffMs: Int?
  }
}

extension ConfigurationFile.Recipes {
  /// Puts what is said here over the defaults.
  /// - Throws: `CommandFailure` for a value that makes no sense.
  func apply(to configuration: inout EngineConfiguration) throws {
    let given: [(Recipe, ConfigurationFile.Patience?)] = [
      (.headshot, headshot), (.hairstyle, hairstyle), (.edit, edit), (.create, create), (.places, places),
    ]
    for (recipe, patience) in given {
      guard let patience else { continue }
      try patience.apply(to: &configuration.policies[recipe, default: RecipePolicy()], of: recipe)
    }
  }
}

extension ConfigurationFile.Patience {
  fileprivate func apply(to policy: inout RecipePolicy, of recipe: Recipe) throws {
    let hour = 3_600_000
    policy.timeoutMs = try checked(timeoutMs, "timeoutMs", 1...hour, recipe) ?? policy.timeoutMs
    policy.retries = try checked(retries, "retries", 0...10, recipe) ?? policy.retries
    policy.backoffMs = try checked(backoffMs, "backoffMs", 1...hour, recipe) ?? policy.backoffMs
    policy.maximumBackoffMs =
      try checked(maximumBackoffMs, "maximumBackoffMs", 1...hour, recipe) ?? policy.maximumBackoffMs
  }

  private func checked(_ value: Int?, _ name: String, _ range: ClosedRange<Int>, _ recipe: Recipe) throws -> Int? {
    guard let value, !range.contains(value) else { return value }
    throw CommandFailure(
      sentence: "recipes/\(recipe.rawValue)/\(name) must be from \(range.lowerBound) to \(range.upperBound).")
  }
}

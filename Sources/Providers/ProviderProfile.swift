import AtelierProtocol

/// What a host can know of a provider without asking it.
public struct ProviderProfile: Sendable, Equatable {
  public var title: String
  public var recipes: [Recipe]
  public var models: [String]
  /// Works on this machine, without a network.
  public var isLocal: Bool
  /// Credits one picture costs a metered account (REQUIREMENTS 6.1).
  public var creditsPerImage: Int

  public init(title: String, recipes: [Recipe], models: [String], isLocal: Bool, creditsPerImage: Int) {
    self.title = title
    self.recipes = recipes
    self.models = models
    self.isLocal = isLocal
    self.creditsPerImage = creditsPerImage
  }
}

import AtelierProtocol

/// How long the work on one generation took.
public struct DurationSample: Sendable, Equatable {
  public var provider: ProviderID
  public var recipe: Recipe
  public var milliseconds: Int64

  public init(provider: ProviderID, recipe: Recipe, milliseconds: Int64) {
    self.provider = provider
    self.recipe = recipe
    self.milliseconds = milliseconds
  }
}

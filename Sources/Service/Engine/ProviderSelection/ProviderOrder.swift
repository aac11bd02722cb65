import AtelierProtocol

/// The operator's order of providers, for requests that name none.
public struct ProviderOrder: Sendable, Equatable {
  /// For every recipe that has no order of its own; nil if the operator has set none.
  public var overall: [ProviderID]?
  /// The orders of single recipes.
  public var byRecipe: [Recipe: [ProviderID]]

  public init(overall: [ProviderID]? = nil, byRecipe: [Recipe: [ProviderID]] = [:]) {
    self.overall = overall
    self.byRecipe = byRecipe
  }

  func providers(for recipe: Recipe) -> [ProviderID]? { byRecipe[recipe] ?? overall }
}

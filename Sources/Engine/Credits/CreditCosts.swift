import AtelierProtocol
import Providers

/// Credits a picture costs, by who makes it and what it is.
public struct CreditCosts: Sendable, Equatable {
  /// What an operator says of some pictures.
  public struct Rule: Sendable, Equatable {
    public var provider: ProviderID
    /// Nil for all of the provider's.
    public var recipe: Recipe?
    /// Nil for both.
    public var mode: Generate.OutputMode?
    /// For each picture.
    public var credits: Int

    public init(
      provider: ProviderID, recipe: Recipe? = nil, mode: Generate.OutputMode? = nil, credits: Int
    ) {
      self.provider = provider
      self.recipe = recipe
      self.mode = mode
      self.credits = credits
    }
  }

  /// Where several speak of a picture, the one that says most of it counts; of those that say as much, the last.
  public var rules: [Rule]

  public init(_ rules: [Rule] = []) { self.rules = rules }

  /// What each picture of a request costs: what a rule says, else what the provider does.
  func perPicture(by provider: any ImageProvider, for request: Generate) -> Int {
    let mode = request.output?.mode ?? .single
    let fitting = rules.filter {
      $0.provider == provider.id && ($0.recipe ?? request.recipe) == request.recipe && ($0.mode ?? mode) == mode
    }
    var best: Rule?
    for rule in fitting where rule.precision >= best?.precision ?? 0 { best = rule }
    return best?.credits ?? provider.profile.creditsPerImage
  }
}

extension CreditCosts.Rule {
  /// How much it says of the pictures it is for.
  fileprivate var precision: Int { (recipe == nil ? 0 : 2) + (mode == nil ? 0 : 1) }
}

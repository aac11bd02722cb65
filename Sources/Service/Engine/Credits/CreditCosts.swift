import AtelierProtocol
import Providers

/// The credits a picture costs, by provider and kind of picture.
public struct CreditCosts: Sendable, Equatable {
  /// An operator's price for some pictures.
  public struct Rule: Sendable, Equatable {
    public var provider: ProviderID
    /// Nil for all recipes of the provider.
    public var recipe: Recipe?
    /// Nil for both modes.
    public var mode: Generate.OutputMode?
    /// Per picture.
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

  /// If several rules match a picture, the most specific counts; of equally specific rules, the last.
  public var rules: [Rule]

  public init(_ rules: [Rule] = []) { self.rules = rules }

  /// The price of each picture of a request: by the rules, else by the provider's profile.
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
  /// How specific the rule is.
  var precision: Int { (recipe == nil ? 0 : 2) + (mode == nil ? 0 : 1) }
}

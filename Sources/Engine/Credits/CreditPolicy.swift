import AtelierProtocol
import Providers
import Receipts
import Store

/// What credits are given for, what costs them and what they are sold as. The defaults are those of the requirements
/// (REQUIREMENTS 6).
public struct CreditPolicy: Sendable {
  /// How many come with what.
  public var rules = CreditRules()
  /// What is sold, in the order in which it is shown.
  public var products = CreditProduct.standard
  /// What pictures cost.
  public var costs = CreditCosts()
  /// How often an account may ask.
  public var limits = UsageLimit.standard
  /// Judges purchases; takes those of no store unless one is configured.
  public var receipts = ReceiptVerifier()

  public init() {}

  /// What accepting a request takes from an account: for every picture what the dearest that may be asked costs.
  /// - Returns: nil for an account that is not metered.
  func metering(of account: AccountID, for request: Generate, asking providers: [any ImageProvider]) -> Metering? {
    guard account.isMetered else { return nil }
    let dearest = providers.map { costs.perPicture(by: $0, for: request) }.max() ?? 0
    return Metering(credits: request.pictureCount * dearest, limits: limits)
  }

  /// The product a store knows by this name.
  func product(_ name: String, in platform: PurchasePlatform) -> CreditProduct? {
    products.first { product in
      switch platform {
      case .apple: product.platforms.apple == name
      case .google: product.platforms.google == name
      }
    }
  }

  /// The refusal of one who has not enough, with what to get more by (REQUIREMENTS 6.5); any other as it is.
  func offeringMore(_ refusal: AtelierError) -> AtelierError {
    guard var details = InsufficientCreditsDetails(refusal) else { return refusal }
    details.upgradeOptions = products.map { UpgradeOption($0) }
    var refusal = refusal
    refusal.details = details.json
    return refusal
  }
}

extension AccountID {
  /// Whether its credits are counted: those of all but the machine's own account (REQUIREMENTS 6.3).
  var isMetered: Bool { self != .owner }
}

extension Generate {
  /// How many pictures it asks for: the several angles are always four, and places come as words.
  var pictureCount: Int {
    if recipe == .places { return 0 }
    return output?.mode == .multiAngle ? 4 : output?.count ?? 1
  }
}

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

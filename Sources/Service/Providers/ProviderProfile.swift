import AtelierProtocol

/// What a host can know about a provider without contacting it.
public struct ProviderProfile: Sendable, Equatable {
  public var title: String
  public var recipes: [Recipe]
  public var models: [String]
  /// The models that answer in words, for `places`, the default first.
  public var textModels: [String]
  /// True if it works on this machine, without a network.
  public var isLocal: Bool
  /// True if it is a server on this machine, with a model that may take minutes for what a cloud makes in seconds.
  public var isServedHere: Bool
  /// The credits that one image costs a metered account.
  public var creditsPerImage: Int
  /// What one image of the default model in its standard size costs whoever pays the provider, in US dollars; nil if
  /// unknown.
  public var usdPerImage: Double?
  /// What the operator knows of the prices of its models.
  public var prices: PriceTable
  /// What a request can choose of its images; nil if only each image tells.
  public var output: StylesList.OutputChoices?

  public init(
    title: String, recipes: [Recipe], models: [String], textModels: [String] = [], isLocal: Bool,
    isServedHere: Bool = false, creditsPerImage: Int, usdPerImage: Double? = nil,
    prices: PriceTable = PriceTable(), output: StylesList.OutputChoices? = nil
  ) {
    self.title = title
    self.recipes = recipes
    self.models = models
    self.textModels = textModels
    self.isLocal = isLocal
    self.isServedHere = isServedHere
    self.creditsPerImage = creditsPerImage
    self.usdPerImage = usdPerImage
    self.prices = prices
    self.output = output
  }
}

extension ProviderProfile {
  /// The models that make a recipe, the default first.
  public func models(for recipe: Recipe) -> [String] { recipe == .places ? textModels : models }

  /// What one image costs whoever pays the provider, in US dollars; nil if unknown.
  /// - Parameters:
  ///   - model: nil for the default model.
  ///   - size: nil for the standard size.
  public func usdPerImage(model: String?, size: String?) -> Double? {
    guard model != nil || size != nil else { return usdPerImage }
    return (model ?? models.first).flatMap { prices.models[$0]?.perImage?[size ?? "1K"]?.value }
  }

  /// Whether nobody pays for its images: as their price says, and where that is not known, if the server is on this machine.
  public var isFree: Bool { usdPerImage.map { $0 == 0 } ?? isServedHere }
}

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
  /// What a request can choose of its images; nil if only each image tells.
  public var output: StylesList.OutputChoices?

  public init(
    title: String, recipes: [Recipe], models: [String], textModels: [String] = [], isLocal: Bool,
    isServedHere: Bool = false, creditsPerImage: Int, usdPerImage: Double? = nil,
    output: StylesList.OutputChoices? = nil
  ) {
    self.title = title
    self.recipes = recipes
    self.models = models
    self.textModels = textModels
    self.isLocal = isLocal
    self.isServedHere = isServedHere
    self.creditsPerImage = creditsPerImage
    self.usdPerImage = usdPerImage
    self.output = output
  }
}

extension ProviderProfile {
  /// The models that make a recipe, the default first.
  public func models(for recipe: Recipe) -> [String] { recipe == .places ? textModels : models }
}

import AtelierProtocol

/// What is asked of a provider: one picture.
public struct ImageRequest: Sendable {
  public var recipe: Recipe
  /// The photo, encoded: as the host gave it for a provider on this machine, prepared for one elsewhere
  /// (REQUIREMENTS 2.4); nil for recipes that need none.
  public var photo: [UInt8]?
  /// Further pictures to go by, prepared like the photo; at most two.
  public var references: [[UInt8]]
  /// What a model is told, in full: our engineered words round the user's. Nil for a recipe that needs none.
  public var prompt: String?
  /// Which way to look and what stands behind, for `headshot`.
  public var style: Style?
  /// 0 for the first picture of a request, 1 for the second…: each is to differ.
  public var variation: Int
  public var model: String?
  /// How freely a model chooses, 0…2; nil leaves it to the provider.
  public var temperature: Double?
  /// Whether the temperature is our choice for the recipe, which nobody asked for.
  public var isTemperatureOurs = false
  /// Makes a result repeatable where the provider can.
  public var seed: Int?
  /// Such as `1:1`; nil leaves it to the provider.
  public var aspectRatio: String?
  /// Such as `1K` or `1024x1024`; nil leaves it to the provider.
  public var size: String?
  /// The longest the provider may work on this picture, in milliseconds.
  public var timeoutMs: Int

  public init(
    recipe: Recipe, photo: [UInt8]? = nil, references: [[UInt8]] = [], prompt: String? = nil, style: Style? = nil,
    variation: Int = 0, model: String? = nil, temperature: Double? = nil, seed: Int? = nil, aspectRatio: String? = nil,
    size: String? = nil, timeoutMs: Int
  ) {
    self.recipe = recipe
    self.photo = photo
    self.references = references
    self.prompt = prompt
    self.style = style
    self.variation = variation
    self.model = model
    self.temperature = temperature
    self.seed = seed
    self.aspectRatio = aspectRatio
    self.size = size
    self.timeoutMs = timeoutMs
  }
}

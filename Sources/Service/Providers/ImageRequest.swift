import AtelierProtocol

/// A request to a provider for one image.
public struct ImageRequest: Sendable, Encodable {
  public var recipe: Recipe
  /// The encoded photo: as the host gave it for a provider on this machine, prepared for a remote one; nil for
  /// recipes that need none.
  public var photo: [UInt8]?
  /// Whether a provider on this machine is to return the prepared photo as well, because it will be kept.
  public var wantsPreparedPhoto = false
  /// Reference images, prepared like the photo; at most two.
  public var references: [[UInt8]]
  /// What was found when they were prepared, for the person; a provider on this machine tells that of the photo itself.
  public var pictureWarnings: [Warning] = []
  /// The complete prompt: our engineered prompt around the user's. Nil for a recipe that needs none.
  public var prompt: String?
  /// The head direction and background, for `headshot`.
  public var style: Style?
  /// 0 for the first image of a request, 1 for the second…: each must differ.
  public var variation: Int
  /// How many images the request asks for.
  public var count = 1
  public var model: String?
  /// The sampling temperature, 0…2; nil leaves it to the provider.
  public var temperature: Double?
  /// Whether the temperature is our default for the recipe, not the caller's value.
  public var isTemperatureOurs = false
  /// Makes a result repeatable if the provider supports it.
  public var seed: Int?
  /// Such as `1:1`; nil leaves it to the provider.
  public var aspectRatio: String?
  /// Such as `1K` or `1024x1024`; nil leaves it to the provider.
  public var size: String?
  /// The format of the file; nil leaves it to the provider.
  public var format: PictureFormat?
  /// 1…100, of a format that has one; nil leaves it to the provider.
  public var quality: Int?
  /// The most bytes that the file may have; nil for any number.
  public var maximumBytes: Int?
  /// The fewest bytes that the file may have; nil for any number.
  public var minimumBytes: Int?
  /// How the person is placed, in place of an aspect ratio.
  public var crop: PictureCrop?
  /// The size of a photo for a passport; nil for the usual one.
  public var passportSize: PassportSize?
  /// The height of the head in a photo for a passport; nil for that of the rule.
  public var headHeight: HeadHeight?
  /// Whether the image is to come with its matte.
  public var wantsMatte = false
  /// The time limit for this image, in milliseconds.
  public var timeoutMs: Int

  public init(
    recipe: Recipe, photo: [UInt8]? = nil, references: [[UInt8]] = [], prompt: String? = nil, style: Style? = nil,
    variation: Int = 0, model: String? = nil, temperature: Double? = nil, seed: Int? = nil, aspectRatio: String? = nil,
    size: String? = nil, format: PictureFormat? = nil, quality: Int? = nil,
    crop: PictureCrop? = nil, timeoutMs: Int
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
    self.format = format
    self.quality = quality
    self.crop = crop
    self.timeoutMs = timeoutMs
  }
}

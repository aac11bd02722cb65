import AtelierProtocol
import Imaging

/// Makes one image from a request: a cloud model, or this machine.
///
/// A provider only makes the image: it does not store, count credits or retry.
public protocol ImageProvider: Sendable {
  var id: ProviderID { get }

  /// The information for hosts: title, recipes, models.
  var profile: ProviderProfile { get }

  /// The maximum number of concurrent images; further ones wait as `queued`.
  var maximumConcurrentImages: Int { get }

  /// Whether the provider has what it needs, such as a key, and if not, why. The engine, not the provider, tracks a
  /// pause that the provider asked for.
  func availability() async -> ProviderAvailability

  /// Rejects at once a request that this provider can never fulfil.
  /// - Throws: `AtelierError` of kind `unsupported_by_provider`, with an alternative.
  func check(_ request: ImageRequest) throws(AtelierError)

  /// Announces that images will be requested soon, so that slow preparation can be done in the background.
  func warmUp()

  /// Checks whether the provider can be reached, at no cost and without requesting anything.
  /// - Throws: `AtelierError` when it cannot be reached, or `CancellationError`.
  func probe() async throws

  /// Asks the provider which of its models are available now.
  /// - Returns: their names; the default model comes first if it is among them.
  /// - Throws: `AtelierError`, or `CancellationError`.
  func fetchModels() async throws -> [String]

  /// Makes one image.
  ///
  /// Cancelling the task ends the work within a few milliseconds.
  /// - Parameter progress: called in order, from any thread, as the work proceeds. A remote provider calls it
  ///   immediately before the first byte of a request is sent, not earlier: if it was not called, nothing was
  ///   sent.
  /// - Throws: `AtelierError`, or `CancellationError` when the task was cancelled.
  func makeImage(
    _ request: ImageRequest, progress: @escaping @Sendable (ImageProgress) -> Void
  ) async throws -> ProviderImage
}

extension ImageProvider {
  /// Does nothing by default.
  public func warmUp() {}

  /// Always succeeds by default.
  public func probe() async throws {}

  /// The known models by default.
  public func fetchModels() async throws -> [String] { profile.models }
}

/// Whether a provider can be used now.
public struct ProviderAvailability: Sendable, Equatable {
  public var available: Bool
  /// Why not, as a sentence that says what to do about it.
  public var reason: String?
  public var needsKey: Bool

  public init(available: Bool, reason: String? = nil, needsKey: Bool = false) {
    self.available = available
    self.reason = reason
    self.needsKey = needsKey
  }
}

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

/// An image made by a provider, with its bytes unchanged.
public struct ProviderImage: Sendable {
  /// The encoded image, stored verbatim.
  public var bytes: [UInt8]
  public var mimeType: String
  /// Pixels.
  public var width: Int
  public var height: Int
  public var model: String
  public var usage: Usage
  public var warnings: [Warning]
  /// The text that the model returned with the image.
  public var text: String?
  /// The matte of the image, if the request wanted it.
  public var matte: EncodedImage?
  /// The turn to send back to the model to continue the conversation; nil if the provider keeps none.
  public var turn: ModelTurn?
  /// The photo in the form for remote providers, if the request wanted it and the provider prepares it by the way.
  public var preparedPhoto: EncodedImage?

  public init(
    bytes: [UInt8], mimeType: String, width: Int, height: Int, model: String, usage: Usage, warnings: [Warning] = [],
    text: String? = nil, turn: ModelTurn? = nil
  ) {
    self.bytes = bytes
    self.mimeType = mimeType
    self.width = width
    self.height = height
    self.model = model
    self.usage = usage
    self.warnings = warnings
    self.text = text
    self.turn = turn
  }
}

/// A request to a provider for one image.
public struct ImageRequest: Sendable {
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
  /// How the person is placed, in place of an aspect ratio.
  public var crop: PictureCrop?
  /// The size of a photo for a passport; nil for the usual one.
  public var passportSize: PassportSize?
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

/// The progress of a provider with one image.
public struct ImageProgress: Sendable, Equatable {
  public var phase: Phase
  /// One human-readable sentence.
  public var message: String
  /// 0…1 of this phase, if known.
  public var fraction: Double?

  public init(phase: Phase, message: String, fraction: Double? = nil) {
    self.phase = phase
    self.message = message
    self.fraction = fraction
  }
}

import AtelierProtocol

/// Something that makes one picture from a request: a cloud model, or this machine.
///
/// A provider does the work of one image and nothing else: it neither stores, nor counts credits, nor retries.
public protocol ImageProvider: Sendable {
  var id: ProviderID { get }

  /// What a host is told of it: title, recipes, models.
  var profile: ProviderProfile { get }

  /// How many images it may be asked for at the same time; further ones wait as `queued`.
  var maximumConcurrentImages: Int { get }

  /// Whether it has what it needs to be asked, such as a key, and if not, why. A pause the provider asked for is the
  /// engine's to know.
  func availability() async -> ProviderAvailability

  /// Refuses at once what this provider can never do, so that nothing is accepted in vain.
  /// - Throws: `AtelierError` of kind `unsupported_by_provider`, with what to do instead.
  func check(_ request: ImageRequest) throws(AtelierError)

  /// Tells that pictures will be wanted soon: what takes time before the first one may be done in the background.
  func warmUp()

  /// Looks whether the provider can be reached at all, at no cost and without asking it for anything.
  /// - Throws: `AtelierError` when it cannot, or `CancellationError`.
  func probe() async throws

  /// Asks the provider which of its models may be used now.
  /// - Returns: their names, the one used by default first where it is among them.
  /// - Throws: `AtelierError`, or `CancellationError`.
  func fetchModels() async throws -> [String]

  /// Makes one picture.
  ///
  /// Cancelling the task ends the work within a few milliseconds.
  /// - Parameter progress: called in order, from any thread, as the work moves on. A provider elsewhere calls it before
  ///   the first byte of a request leaves, and not earlier than when that is about to happen: as long as it was not
  ///   called, nothing was sent.
  /// - Throws: `AtelierError`, or `CancellationError` when the task was cancelled.
  func makeImage(
    _ request: ImageRequest, progress: @escaping @Sendable (ImageProgress) -> Void
  ) async throws -> ProviderImage
}

extension ImageProvider {
  /// Nothing needs time.
  public func warmUp() {}

  /// It is here.
  public func probe() async throws {}

  /// What it is known to have.
  public func fetchModels() async throws -> [String] { profile.models }
}

/// Whether a provider can be asked now.
public struct ProviderAvailability: Sendable, Equatable {
  public var available: Bool
  /// Why not, as a sentence with what to do about it.
  public var reason: String?
  public var needsKey: Bool

  public init(available: Bool, reason: String? = nil, needsKey: Bool = false) {
    self.available = available
    self.reason = reason
    self.needsKey = needsKey
  }
}

/// What a host can know of a provider without asking it.
public struct ProviderProfile: Sendable, Equatable {
  public var title: String
  public var recipes: [Recipe]
  public var models: [String]
  /// Works on this machine, without a network.
  public var isLocal: Bool
  /// Credits one picture costs a metered account (REQUIREMENTS 6.1).
  public var creditsPerImage: Int

  public init(title: String, recipes: [Recipe], models: [String], isLocal: Bool, creditsPerImage: Int) {
    self.title = title
    self.recipes = recipes
    self.models = models
    self.isLocal = isLocal
    self.creditsPerImage = creditsPerImage
  }
}

/// A picture a provider made: its bytes exactly as it gave them.
public struct ProviderImage: Sendable {
  /// The encoded picture, stored verbatim (REQUIREMENTS 1.9).
  public var bytes: [UInt8]
  public var mimeType: String
  /// Pixels.
  public var width: Int
  public var height: Int
  public var model: String
  public var usage: Usage
  public var warnings: [Warning]
  /// Words the model gave with the picture.
  public var text: String?
  /// What the model must be given back to go on from here; nil where it keeps nothing.
  public var turn: ModelTurn?

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

/// How far a provider is with one picture.
public struct ImageProgress: Sendable, Equatable {
  public var phase: Phase
  /// One sentence for a person.
  public var message: String
  /// 0…1 of this phase, where it is known.
  public var fraction: Double?

  public init(phase: Phase, message: String, fraction: Double? = nil) {
    self.phase = phase
    self.message = message
    self.fraction = fraction
  }
}

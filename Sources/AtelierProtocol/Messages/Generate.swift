import JSON

/// Makes pictures.
///
/// The answer comes at the end, or with `detach` once the request is durably accepted. Members that do not belong
/// to the recipe are refused.
public struct Generate: RequestMessage {
  public static let method = "generate"

  public static let errors: [ErrorKind] = [
    .invalidImage, .invalidDimensions, .wrongRecipeInput, .permissionDenied, .fileAccessDenied, .notFound,
    .templateNotFound, .inputExpired, .timedOut, .idempotencyMismatch, .imageTooLarge, .unsupportedImage, .noFaceFound,
    .unsupportedByProvider, .interrupted, .providerUnavailable, .storageFull,
  ]

  /// What is to be made.
  public var recipe: Recipe
  /// The photo, or the result that is to be refined; for every recipe but `create` and `places`.
  public var image: ImageSource?
  /// Pictures to go by, beside the photo.
  @Limited<ReferenceImages> public var references: [ImageSource]?
  /// What is wanted, in words of any language.
  @Limited<PromptLength> public var prompt: String?
  /// How a headshot is to look. Default: the front, professional.
  public var style: Style?
  /// A template of the library; for `hairstyle`.
  @Limited<NameLength> public var templateId: String?
  /// How many pictures, and where they go.
  public var output: Output?
  /// Who makes it: one provider, or several in the order in which they are tried. Default: the first that is available.
  public var provider: ProviderChoice?
  /// One of the provider's models. Default: the provider's own choice.
  @Limited<NameLength> public var model: String?
  /// How freely the model chooses; not for `headshot`, where it is fixed.
  @Limited<Temperature> public var temperature: Double?
  /// Makes a result repeatable where the provider can.
  @Limited<Seed> public var seed: Int?
  /// The longest it may take from its start, in milliseconds. Default 60000.
  @Limited<Timeout> public var timeoutMs: Int?
  /// The account, by the rule for accounts.
  public var account: AccountID?
  /// The same key with the same params gives the same generation, however often it is sent; unique for an account.
  @Limited<IdempotencyKeyLength> public var idempotencyKey: String?
  /// Whether an identical earlier result may answer. Default `use`.
  public var cache: CachePolicy?
  /// What to do while the provider cannot be reached. Default `fail`.
  public var whenOffline: OfflinePolicy?
  /// How long it may wait for its provider at most, in milliseconds, with `whenOffline` `queue`. Default a day.
  @Limited<Wait> public var waitMs: Int?
  /// true: neither prompt nor pictures are kept; the result comes inline or in the output directory. Default false.
  public var `private`: Bool?
  /// true: answer once the request is durably accepted; the end comes as `generation/finished`, and the generation
  /// outlives the connection. Default false.
  public var detach: Bool?
  /// Whether `generation/progress` is wanted. Default true.
  public var progress: Bool?
  /// Anything the host wants to find again in `history`; at most 4096 bytes as JSON.
  @Limited<Metadata> public var metadata: JSONObject?

  public init(
    recipe: Recipe, image: ImageSource? = nil, references: [ImageSource]? = nil, prompt: String? = nil,
    style: Style? = nil, templateId: String? = nil, output: Output? = nil, provider: ProviderChoice? = nil,
    model: String? = nil, temperature: Double? = nil, seed: Int? = nil, timeoutMs: Int? = nil,
    account: AccountID? = nil, idempotencyKey: String? = nil, cache: CachePolicy? = nil,
    whenOffline: OfflinePolicy? = nil, waitMs: Int? = nil, `private`: Bool? = nil, detach: Bool? = nil, progress: Bool? = nil,
    metadata: JSONObject? = nil
  ) {
    self.recipe = recipe
    self.image = image
    self.references = references
    self.prompt = prompt
    self.style = style
    self.templateId = templateId
    self.output = output
    self.provider = provider
    self.model = model
    self.temperature = temperature
    self.seed = seed
    self.timeoutMs = timeoutMs
    self.account = account
    self.idempotencyKey = idempotencyKey
    self.cache = cache
    self.whenOffline = whenOffline
    self.waitMs = waitMs
    self.private = `private`
    self.detach = detach
    self.progress = progress
    self.metadata = metadata
  }

  public typealias Result = Generation

  /// How many pictures, and where they go.
  public struct Output: Codable, Sendable, Equatable {
    /// Default `single`.
    public var mode: OutputMode?
    /// How many variations. Default 1.
    @Limited<ImageCount> public var count: Int?
    /// A folder that exists; the pictures are put there as well, under new names.
    @Limited<PathLength> public var directory: String?
    /// true: the pictures come with the answer, in base64. Default false.
    public var inline: Bool?
    /// Such as `1:1` or `3:4`; what is possible depends on the provider.
    @Limited<NameLength> public var aspectRatio: String?
    /// Such as `1K` or `1024x1024`; what is possible depends on the provider.
    @Limited<NameLength> public var size: String?

    public init(
      mode: OutputMode? = nil, count: Int? = nil, directory: String? = nil, inline: Bool? = nil,
      aspectRatio: String? = nil, size: String? = nil
    ) {
      self.mode = mode
      self.count = count
      self.directory = directory
      self.inline = inline
      self.aspectRatio = aspectRatio
      self.size = size
    }
  }

  /// Which pictures.
  public enum OutputMode: String, Codable, Sendable, CaseIterable {
    /// One picture, or variations of it.
    case single
    /// Front, left profile, right profile and back.
    case multiAngle
  }
}

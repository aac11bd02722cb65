import JSON

/// Makes pictures.
///
/// The answer comes when the generation has ended or, with `detach`, when the request is durably accepted. Params that
/// do not belong to the recipe are refused.
public struct Generate: RequestMessage {
  public static let method = "generate"

  public static let errors: [ErrorKind] = [
    .invalidImage, .invalidDimensions, .tooManyImages, .wrongRecipeInput, .noApiKey, .invalidApiKey, .insufficientCredits,
    .permissionDenied, .providerDenied, .fileAccessDenied, .notFound, .templateNotFound, .inputExpired, .timedOut,
    .idempotencyMismatch, .imageTooLarge, .unsupportedImage, .contentBlocked, .noImageReturned, .noFaceFound,
    .severalPeople, .faceTooSmall, .unsupportedByProvider, .noPlacesFound, .rateLimited, .coolingDown, .dailyLimit,
    .quotaExhausted, .concurrentLimit, .interrupted, .providerError, .providerUnavailable, .offline, .providerTimeout,
    .storageFull,
  ]

  /// The kind of picture to make.
  public var recipe: Recipe
  /// The photo, or the result to refine; for `headshot`, `hairstyle` and `edit`.
  public var image: ImageSource?
  /// Reference pictures, in addition to the photo.
  @Limited<ReferenceImages> public var references: [ImageSource]?
  /// What to make, in words of any language.
  @Limited<PromptLength> public var prompt: String?
  /// The look of a headshot. Default: the background `auto`, with no angle named.
  public var style: Style?
  /// Where the places should be: a position, which then must be within 100 km of each, or an area in words; for
  /// `places`.
  public var near: SearchArea?
  /// How many places to find at most; for `places`. Default 10.
  @Limited<PlaceCount> public var limit: Int?
  /// The language for the names of places (BCP 47); for `places`. Default: the language of the prompt.
  @Limited<LanguageTag> public var language: String?
  /// A template of the hairstyle library; for `hairstyle`.
  @Limited<NameLength> public var templateId: String?
  /// How many pictures to make, and where to put them.
  public var output: Output?
  /// The provider, or several in the order in which to try them. Default: a provider on this machine if it can make the
  /// recipe, otherwise the first one that can make it and has its key; the operator may configure another order.
  public var provider: ProviderChoice?
  /// One of the provider's models. Default: the provider's default model.
  @Limited<NameLength> public var model: String?
  /// How much the model may vary the result; not for `headshot`, where it is fixed.
  @Limited<Temperature> public var temperature: Double?
  /// Makes the result repeatable, if the provider supports it.
  @Limited<Seed> public var seed: Int?
  /// The time limit from the start of the work, in milliseconds. Default 60000, for `places` 120000, and 600000 where a
  /// server on this machine is asked first.
  @Limited<Timeout> public var timeoutMs: Int?
  /// The account that the generation belongs to. Default: the connection's account, otherwise `owner`.
  public var account: AccountID?
  /// Makes it safe to send a request again: the same key with the same params gives the same generation. Unique within
  /// an account.
  @Limited<IdempotencyKeyLength> public var idempotencyKey: String?
  /// Whether an identical earlier result may be reused. Default `use`.
  public var cache: CachePolicy?
  /// What to do while the provider cannot be reached. Default `fail`.
  public var whenOffline: OfflinePolicy?
  /// With `whenOffline` `queue`, the longest wait for the provider, in milliseconds. Default: a day.
  @Limited<Wait> public var waitMs: Int?
  /// true: neither prompt nor pictures are kept, and the pictures are returned inline or in the output directory. They
  /// are written nowhere else, not even for a moment. Default false.
  public var `private`: Bool?
  /// true: the answer comes once the request is durably accepted, `generation/finished` reports the end, and the
  /// generation outlives the connection. Default false.
  public var detach: Bool?
  /// Whether to send `generation/progress`. Default true.
  public var progress: Bool?
  /// Any data of the host, kept with the generation; at most 4096 bytes as JSON.
  @Limited<Metadata> public var metadata: JSONObject?

  public init(
    recipe: Recipe, image: ImageSource? = nil, references: [ImageSource]? = nil, prompt: String? = nil,
    style: Style? = nil, near: SearchArea? = nil, limit: Int? = nil, language: String? = nil, templateId: String? = nil,
    output: Output? = nil, provider: ProviderChoice? = nil, model: String? = nil, temperature: Double? = nil,
    seed: Int? = nil, timeoutMs: Int? = nil, account: AccountID? = nil, idempotencyKey: String? = nil,
    cache: CachePolicy? = nil, whenOffline: OfflinePolicy? = nil, waitMs: Int? = nil, `private`: Bool? = nil,
    detach: Bool? = nil, progress: Bool? = nil,
    metadata: JSONObject? = nil
  ) {
    self.recipe = recipe
    self.image = image
    self.references = references
    self.prompt = prompt
    self.style = style
    self.near = near
    self.limit = limit
    self.language = language
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

  /// How many pictures to make, and where to put them.
  public struct Output: Codable, Sendable, Equatable {
    /// Which pictures to make. Default `single`.
    public var mode: OutputMode?
    /// The number of variations. Default 1.
    @Limited<ImageCount> public var count: Int?
    /// An existing folder, into which the pictures are copied under new names.
    @Limited<PathLength> public var directory: String?
    /// true: the answer contains the pictures, in base64. Default false.
    public var inline: Bool?
    /// The shape, as width:height, such as `1:1` or `3:4`; the possible values depend on the provider. On this machine `1:1`
    /// (the default), `4:5`, `3:4` and `2:3`.
    @Limited<NameLength> public var aspectRatio: String?
    /// The size, such as `1K` or `1024x1024`; the possible values depend on the provider. On this machine the pixels of the
    /// longest side, from `256` to `2048`; beyond 1024, the picture has no more than the photo shows of it, with the
    /// warning `size_differs`. Default there: `1024`. With the crop `passport`, two sides such as `600x750`, from 100 to
    /// 2048, are kept exactly.
    @Limited<NameLength> public var size: String?
    /// The format of the file, of a headshot made on this machine; the providers elsewhere choose theirs. Default: `png`
    /// for a transparent background, otherwise `jpeg`.
    public var format: PictureFormat?
    /// How large and exact a `jpeg` or `webp` is: from 1, the smallest file, to 100, the most exact picture; of a headshot
    /// made on this machine. Default 92.
    @Limited<PictureQuality> public var quality: Int?
    /// The most bytes that the file of a `jpeg` or `webp` may have, as portals for passports demand: the quality is lowered
    /// as far as needed, but not so far that the face suffers. What does not fit is refused with `image_too_large`. Of a
    /// headshot made on this machine.
    @Limited<PictureBytes> public var maxBytes: Int?
    /// The fewest bytes that the file of a `jpeg` may have, as some portals demand: the quality is raised as far as needed,
    /// and what is still missing is filled up with a comment, which no picture shows. At most `maxBytes`.
    @Limited<LeastPictureBytes> public var minBytes: Int?
    /// How the person is placed, in place of `aspectRatio`; of a headshot made on this machine.
    public var crop: PictureCrop?
    /// The size of a printed photo for a passport, with the crop `passport`. Default `35x45`, unless `size` has two sides.
    public var passportSize: PassportSize?
    /// The height of the head from chin to crown, in place of the rule that comes with the size, with the crop `passport`.
    public var headHeight: HeadHeight?
    /// true: each picture comes with its matte, a second file that says how opaque the person is in each pixel; of a
    /// headshot made on this machine. It costs nothing. Default false.
    public var matte: Bool?

    public init(
      mode: OutputMode? = nil, count: Int? = nil, directory: String? = nil, inline: Bool? = nil,
      aspectRatio: String? = nil, size: String? = nil, format: PictureFormat? = nil, quality: Int? = nil,
      maxBytes: Int? = nil, minBytes: Int? = nil, crop: PictureCrop? = nil, passportSize: PassportSize? = nil,
      headHeight: HeadHeight? = nil, matte: Bool? = nil
    ) {
      self.mode = mode
      self.count = count
      self.directory = directory
      self.inline = inline
      self.aspectRatio = aspectRatio
      self.size = size
      self.format = format
      self.quality = quality
      self.maxBytes = maxBytes
      self.minBytes = minBytes
      self.crop = crop
      self.passportSize = passportSize
      self.headHeight = headHeight
      self.matte = matte
    }
  }

  /// Which pictures to make.
  public enum OutputMode: String, Codable, Sendable, CaseIterable {
    /// One picture, or several variations of it.
    case single
    /// Four pictures: front, left profile, right profile and back.
    case multiAngle
  }
}

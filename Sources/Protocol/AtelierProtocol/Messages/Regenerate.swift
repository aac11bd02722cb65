import JSON

/// Makes an earlier generation again: the same params, a new result.
///
/// The params given here replace the earlier ones; recipe, photo and references stay the same.
public struct Regenerate: RequestMessage {
  public static let method = "regenerate"
  public static let errors: [ErrorKind] = Generate.errors + [.notFinished]
  public typealias Result = Generation

  /// The generation to make again; it must have ended.
  public var generationId: GenerationID
  /// The new prompt, in words of any language.
  @Limited<PromptLength> public var prompt: String?
  /// The new look of a headshot.
  public var style: Style?
  /// Another template of the hairstyle library; for `hairstyle`.
  @Limited<NameLength> public var templateId: String?
  /// How many pictures to make, and where to put them. Members that are left out stay as they were, except for an earlier
  /// `aspectRatio` where a `crop` is asked for, an earlier `crop` where an `aspectRatio` is, and an earlier `quality`
  /// where the new format has none.
  public var output: Generate.Output?
  /// Another provider, or several in the order in which to try them.
  public var provider: ProviderChoice?
  /// Another of the provider's models.
  @Limited<NameLength> public var model: String?
  /// How much the model may vary the result.
  @Limited<Temperature> public var temperature: Double?
  /// Makes the new result repeatable, if the provider supports it. Default: a new seed if the earlier request had one,
  /// otherwise none.
  @Limited<Seed> public var seed: Int?
  /// The time limit from the start of the work, in milliseconds.
  @Limited<Timeout> public var timeoutMs: Int?
  /// The account that the generation must belong to. Default: the connection's account, otherwise any.
  public var account: AccountID?
  /// Makes it safe to send a request again: the same key with the same params gives the same generation. Unique within
  /// an account.
  @Limited<IdempotencyKeyLength> public var idempotencyKey: String?
  /// What to do while the provider cannot be reached.
  public var whenOffline: OfflinePolicy?
  /// With `whenOffline` `queue`, the longest wait for the provider, in milliseconds.
  @Limited<Wait> public var waitMs: Int?
  /// true: neither prompt nor pictures of the new generation are kept.
  public var `private`: Bool?
  /// true: the answer comes once the request is durably accepted. Default false.
  public var detach: Bool?
  /// Whether to send `generation/progress`. Default true.
  public var progress: Bool?
  /// Any data of the host, kept with the new generation; at most 4096 bytes as JSON.
  @Limited<Metadata> public var metadata: JSONObject?

  public init(
    generationId: GenerationID, prompt: String? = nil, style: Style? = nil, templateId: String? = nil,
    output: Generate.Output? = nil, provider: ProviderChoice? = nil, model: String? = nil, temperature: Double? = nil,
    seed: Int? = nil, timeoutMs: Int? = nil, account: AccountID? = nil, idempotencyKey: String? = nil,
    whenOffline: OfflinePolicy? = nil, waitMs: Int? = nil, `private`: Bool? = nil, detach: Bool? = nil,
    progress: Bool? = nil, metadata: JSONObject? = nil
  ) {
    self.generationId = generationId
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
    self.whenOffline = whenOffline
    self.waitMs = waitMs
    self.private = `private`
    self.detach = detach
    self.progress = progress
    self.metadata = metadata
  }
}

extension Regenerate {
  /// The complete request: the earlier params, replaced by those given here.
  ///
  /// Params that say how the request is answered, or that identify it to the host, are not taken over.
  /// - Parameter earlier: the params of the generation, with pictures that can still be had.
  public func merged(into earlier: Generate) -> Generate {
    var request = earlier
    request.prompt = prompt ?? earlier.prompt
    request.style = style ?? earlier.style
    request.templateId = templateId ?? earlier.templateId
    request.output = output.map { $0.merged(into: earlier.output) } ?? earlier.output
    request.provider = provider ?? earlier.provider
    request.model = model ?? earlier.model
    request.temperature = temperature ?? earlier.temperature
    request.seed = seed ?? earlier.seed
    request.timeoutMs = timeoutMs ?? earlier.timeoutMs
    request.whenOffline = whenOffline ?? earlier.whenOffline
    request.waitMs = waitMs ?? (request.whenOffline == .queue ? earlier.waitMs : nil)
    request.private = `private`
    request.idempotencyKey = idempotencyKey
    request.detach = detach
    request.progress = progress
    request.metadata = metadata
    // The result is to be a new one.
    request.cache = .bypass
    return request
  }
}

extension Generate.Output {
  fileprivate func merged(into earlier: Generate.Output?) -> Generate.Output {
    let keepsQuality = format?.hasQuality != false
    let keepsLeast = format == nil || format == .jpeg
    let crop = crop ?? (aspectRatio == nil ? earlier?.crop : nil)
    return Generate.Output(
      mode: mode ?? earlier?.mode, count: count ?? earlier?.count, directory: directory ?? earlier?.directory,
      inline: inline ?? earlier?.inline, aspectRatio: aspectRatio ?? (self.crop == nil ? earlier?.aspectRatio : nil),
      size: size ?? earlier?.size, format: format ?? earlier?.format,
      quality: quality ?? (keepsQuality ? earlier?.quality : nil),
      maxBytes: maxBytes ?? (keepsQuality ? earlier?.maxBytes : nil),
      minBytes: minBytes ?? (keepsLeast ? earlier?.minBytes : nil),
      crop: crop, passportSize: passportSize ?? (crop == .passport ? earlier?.passportSize : nil),
      // The head of another size follows its own rule.
      headHeight: headHeight ?? (crop == .passport && passportSize == nil ? earlier?.headHeight : nil),
      matte: matte ?? earlier?.matte)
  }
}

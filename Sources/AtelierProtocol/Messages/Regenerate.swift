import JSON

/// Makes the pictures of an earlier generation once more: the same params, a new result.
///
/// What is given here replaces what was asked then; recipe, photo and references stay.
public struct Regenerate: RequestMessage {
  public static let method = "regenerate"
  public static let errors: [ErrorKind] = Generate.errors + [.notFinished]
  public typealias Result = Generation

  /// The generation to make again; it must have ended.
  public var generationId: GenerationID
  /// What is wanted instead, in words of any language.
  @Limited<PromptLength> public var prompt: String?
  /// How a headshot is to look instead.
  public var style: Style?
  /// Another template of the library; for `hairstyle`.
  @Limited<NameLength> public var templateId: String?
  /// How many pictures, and where they go; its members that are left out stay as they were.
  public var output: Generate.Output?
  /// Who makes it instead.
  public var provider: ProviderChoice?
  /// Another model of the provider.
  @Limited<NameLength> public var model: String?
  /// How freely the model chooses.
  @Limited<Temperature> public var temperature: Double?
  /// Makes the new result repeatable where the provider can. Default: where the earlier request had one, a new one.
  @Limited<Seed> public var seed: Int?
  /// The longest it may take from its start, in milliseconds.
  @Limited<Timeout> public var timeoutMs: Int?
  /// The account it must belong to, by the rule for accounts.
  public var account: AccountID?
  /// The same key with the same params gives the same generation, however often it is sent; unique for an account.
  @Limited<IdempotencyKeyLength> public var idempotencyKey: String?
  /// What to do while the provider cannot be reached.
  public var whenOffline: OfflinePolicy?
  /// How long it may wait for its provider at most, in milliseconds, with `whenOffline` `queue`.
  @Limited<Wait> public var waitMs: Int?
  /// true: neither prompt nor pictures are kept of the new result.
  public var `private`: Bool?
  /// true: answer once the request is durably accepted. Default false.
  public var detach: Bool?
  /// Whether `generation/progress` is wanted. Default true.
  public var progress: Bool?
  /// Anything the host wants to find again in `history`; at most 4096 bytes as JSON.
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
  /// The whole request: what was asked then, with what is given here in its place.
  ///
  /// How the answer comes and what the host calls it belongs to each request alone and is not taken over.
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
    Generate.Output(
      mode: mode ?? earlier?.mode, count: count ?? earlier?.count, directory: directory ?? earlier?.directory,
      inline: inline ?? earlier?.inline, aspectRatio: aspectRatio ?? earlier?.aspectRatio, size: size ?? earlier?.size)
  }
}

import JSON

/// `generate`: makes pictures.
///
/// The answer comes at the end, or with `detach` once the request is durably accepted. Members that do not belong to
/// the recipe are refused.
public struct Generate: RequestMessage {
  public static let method = "generate"

  /// What is to be made.
  public var recipe: Recipe
  /// The photo; for every recipe but `create` and `places`.
  public var image: ImageSource?
  /// Pictures to go by, beside the photo.
  @Limited<ReferenceImages> public var references: [ImageSource]?
  /// What is wanted, in words of any language.
  @Limited<PromptLength> public var prompt: String?
  /// How a headshot is to look. Default: the front, professional.
  public var style: Style?
  /// A template of the library; for `hairstyle`.
  @Limited<NameLength> public var template: String?
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
  /// Whose it is. Default: the account of `initialize`, else `owner`.
  public var account: AccountID?
  /// The result that is to be refined.
  public var from: ResultReference?
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
    style: Style? = nil, template: String? = nil, output: Output? = nil, provider: ProviderChoice? = nil,
    model: String? = nil, temperature: Double? = nil, seed: Int? = nil, timeoutMs: Int? = nil,
    account: AccountID? = nil, from: ResultReference? = nil, idempotencyKey: String? = nil, cache: CachePolicy? = nil,
    whenOffline: OfflinePolicy? = nil, waitMs: Int? = nil, `private`: Bool? = nil, detach: Bool? = nil, progress: Bool? = nil,
    metadata: JSONObject? = nil
  ) {
    self.recipe = recipe
    self.image = image
    self.references = references
    self.prompt = prompt
    self.style = style
    self.template = template
    self.output = output
    self.provider = provider
    self.model = model
    self.temperature = temperature
    self.seed = seed
    self.timeoutMs = timeoutMs
    self.account = account
    self.from = from
    self.idempotencyKey = idempotencyKey
    self.cache = cache
    self.whenOffline = whenOffline
    self.waitMs = waitMs
    self.private = `private`
    self.detach = detach
    self.progress = progress
    self.metadata = metadata
  }

  /// Either answer.
  public enum Answer: Sendable, Equatable {
    /// The end.
    case finished(Result)
    /// A detached request is accepted; the end comes as `generation/finished`.
    case accepted(Acceptance)
  }

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
    case single
    /// Front, left profile, right profile and back.
    case multiAngle
  }

  /// One picture of an earlier generation.
  public struct ResultReference: Codable, Sendable, Equatable {
    public var generationId: GenerationID
    /// Which of its pictures, from 0. Default 0.
    @Limited<ImageIndex> public var index: Int?

    public init(generationId: GenerationID, index: Int? = nil) {
      self.generationId = generationId
      self.index = index
    }
  }

  /// The answer to a detached request: it is durably accepted.
  public struct Acceptance: Codable, Sendable, Equatable {
    public var generationId: GenerationID
    /// `queued`; where it stands now when an idempotency key was sent again.
    public var state: GenerationState

    public init(generationId: GenerationID, state: GenerationState) {
      self.generationId = generationId
      self.state = state
    }
  }

  /// How a generation ended that did not fail.
  public enum Outcome: String, Codable, Sendable, CaseIterable {
    case succeeded, partial, cancelled
  }

  /// The end of a generation that did not fail; failure is an error instead.
  public struct Result: Codable, Sendable, Equatable {
    public var generationId: GenerationID
    public var outcome: Outcome
    public var recipe: Recipe
    /// The template of the library that was asked for.
    public var template: String?
    /// Who made it; of one cancelled early, who would have.
    public var provider: ProviderID
    /// What made it.
    public var model: String
    /// True when an identical earlier result answered, at no cost.
    public var cached: Bool
    /// The pictures, by index; none when it was cancelled.
    public var images: [GeneratedImage]
    /// Words that came with the pictures.
    public var text: String?
    /// What `places` found.
    public var places: [Place]?
    /// What a person should know about the result.
    public var warnings: [Warning]
    /// The pictures of a partial result that could not be made.
    public var failures: [ImageFailure]
    public var usage: Usage
    public var credits: Credits
    public var timings: Timings

    public init(
      generationId: GenerationID, outcome: Outcome, recipe: Recipe, template: String? = nil, provider: ProviderID,
      model: String, cached: Bool = false, images: [GeneratedImage], text: String? = nil, places: [Place]? = nil,
      warnings: [Warning] = [], failures: [ImageFailure] = [], usage: Usage = Usage(), credits: Credits,
      timings: Timings
    ) {
      self.generationId = generationId
      self.outcome = outcome
      self.recipe = recipe
      self.template = template
      self.provider = provider
      self.model = model
      self.cached = cached
      self.images = images
      self.text = text
      self.places = places
      self.warnings = warnings
      self.failures = failures
      self.usage = usage
      self.credits = credits
      self.timings = timings
    }
  }
}

extension Generate: SchemaDescribed {
  public static let summary =
    "Makes pictures. The answer comes at the end, or with `detach` once the request is durably accepted. "
    + "Members that do not belong to the recipe are refused."

  public static let members = [
    "recipe": "What is to be made.",
    "image": "The photo; for every recipe but `create` and `places`.",
    "references": "Pictures to go by, beside the photo.",
    "prompt": "What is wanted, in words of any language.",
    "style": "How a headshot is to look. Default: the front, professional.",
    "template": "A template of the library; for `hairstyle`.",
    "output": "How many pictures, and where they go.",
    "provider":
      "Who makes it: one provider, or several in the order in which they are tried. Default: the first that is "
      + "available.",
    "model": "One of the provider's models. Default: the provider's own choice.",
    "temperature": "How freely the model chooses; not for `headshot`, where it is fixed.",
    "seed": "Makes a result repeatable where the provider can.",
    "timeoutMs": "The longest it may take from its start, in milliseconds. Default 60000.",
    "account": "Whose it is. Default: the account of `initialize`, else `owner`.",
    "from": "The result that is to be refined.",
    "idempotencyKey":
      "The same key with the same params gives the same generation, however often it is sent; unique for an "
      + "account.",
    "cache": "Whether an identical earlier result may answer. Default `use`.",
    "whenOffline": "What to do while the provider cannot be reached. Default `fail`.",
    "waitMs":
      "How long it may wait for its provider at most, in milliseconds, with `whenOffline` `queue`. Default a day.",
    "private":
      "true: neither prompt nor pictures are kept; the result comes inline or in the output directory. Default "
      + "false.",
    "detach":
      "true: answer once the request is durably accepted; the end comes as `generation/finished`, and the "
      + "generation outlives the connection. Default false.",
    "progress": "Whether `generation/progress` is wanted. Default true.",
    "metadata": "Anything the host wants to find again in `history`; at most 4096 bytes as JSON.",
  ]
}

extension Generate.Output: SchemaDescribed {
  public static let summary = "How many pictures, and where they go."

  public static let members = [
    "mode": "Default `single`.",
    "count": "How many variations. Default 1.",
    "directory": "A folder that exists; the pictures are put there as well, under new names.",
    "inline": "true: the pictures come with the answer, in base64. Default false.",
    "aspectRatio": "Such as `1:1` or `3:4`; what is possible depends on the provider.",
    "size": "Such as `1K` or `1024x1024`; what is possible depends on the provider.",
  ]
}

extension Generate.ResultReference: SchemaDescribed {
  public static let summary = "One picture of an earlier generation."

  public static let members = [
    "index": "Which of its pictures, from 0. Default 0."
  ]
}

extension Generate.Acceptance: SchemaDescribed {
  public static let summary = "The answer to a detached request: it is durably accepted."

  public static let members = [
    "state": "`queued`; where it stands now when an idempotency key was sent again."
  ]
}

extension Generate.Result: SchemaDescribed {
  public static let summary = "The end of a generation that did not fail; failure is an error instead."

  public static let members = [
    "template": "The template of the library that was asked for.",
    "provider": "Who made it; of one cancelled early, who would have.",
    "model": "What made it.",
    "cached": "True when an identical earlier result answered, at no cost.",
    "images": "The pictures, by index; none when it was cancelled.",
    "text": "Words that came with the pictures.",
    "places": "What `places` found.",
    "warnings": "What a person should know about the result.",
    "failures": "The pictures of a partial result that could not be made.",
  ]
}

extension Generate.Answer: Codable {
  private enum CodingKeys: CodingKey { case outcome }

  public init(from decoder: any Decoder) throws {
    if try decoder.container(keyedBy: CodingKeys.self).contains(.outcome) {
      self = .finished(try Generate.Result(from: decoder))
    } else {
      self = .accepted(try Generate.Acceptance(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .finished(let result): try result.encode(to: encoder)
    case .accepted(let acceptance): try acceptance.encode(to: encoder)
    }
  }
}

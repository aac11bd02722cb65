import JSON

/// A generation: what was asked for, where it stands, and what came of it. It is the same object wherever a generation
/// appears.
public struct Generation: Codable, Sendable, Equatable {
  /// The name of the generation.
  public var generationId: GenerationID
  /// Where it stands.
  public var state: GenerationState
  /// What it makes.
  public var recipe: Recipe
  /// The account it belongs to.
  public var account: AccountID
  /// When it was accepted.
  public var createdAt: Timestamp
  /// When its work began.
  public var startedAt: Timestamp?
  /// When it ended.
  public var finishedAt: Timestamp?
  /// How far it is, until it ends.
  public var progress: Progress?
  /// What was asked for in words. A private generation keeps none.
  public var prompt: String?
  /// How a headshot was to look.
  public var style: Style?
  /// The template of the library that was asked for.
  public var templateId: String?
  /// The provider that made it, or that is to make it.
  public var provider: ProviderID?
  /// The model that made it, or that is to make it.
  public var model: String?
  /// True when an identical earlier result answered, at no cost.
  public var cached: Bool
  /// The pictures, by index; empty while there are none.
  public var images: [GeneratedImage]
  /// The file of a small picture for lists. It is made shortly after the end.
  public var thumbnail: String?
  /// Words that came with the pictures.
  public var text: String?
  /// What `places` found.
  public var places: [Place]?
  /// What a person should know about the result.
  public var warnings: [Warning]
  /// The pictures of a partial result that could not be made.
  public var failures: [ImageFailure]
  /// Why it failed, was interrupted or expired.
  public var error: ErrorBody?
  /// What it did to the account's credits.
  public var credits: Credits
  /// What the provider counted.
  public var usage: Usage
  /// How long each phase took.
  public var timings: Timings
  /// The generation whose picture it refines, or that it makes again.
  public var parentGenerationId: GenerationID?
  /// The generation that `regenerate` made again.
  public var originalGenerationId: GenerationID?
  /// True when neither prompt nor pictures are kept; absent otherwise.
  public var `private`: Bool?
  /// True when it is marked as a favorite; absent otherwise.
  public var favorite: Bool?
  /// What a person thought of it.
  public var feedback: Feedback?
  /// What the host sent along, or noted later.
  public var metadata: JSONObject?

  public init(
    generationId: GenerationID, state: GenerationState, recipe: Recipe, account: AccountID, createdAt: Timestamp,
    startedAt: Timestamp? = nil, finishedAt: Timestamp? = nil, progress: Progress? = nil, prompt: String? = nil,
    style: Style? = nil, templateId: String? = nil, provider: ProviderID? = nil, model: String? = nil,
    cached: Bool = false, images: [GeneratedImage] = [], thumbnail: String? = nil, text: String? = nil,
    places: [Place]? = nil, warnings: [Warning] = [], failures: [ImageFailure] = [], error: ErrorBody? = nil,
    credits: Credits = Credits(balanceAfter: nil), usage: Usage = Usage(), timings: Timings = Timings(),
    parentGenerationId: GenerationID? = nil, originalGenerationId: GenerationID? = nil, `private`: Bool? = nil,
    favorite: Bool? = nil, feedback: Feedback? = nil, metadata: JSONObject? = nil
  ) {
    self.generationId = generationId
    self.state = state
    self.recipe = recipe
    self.account = account
    self.createdAt = createdAt
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.progress = progress
    self.prompt = prompt
    self.style = style
    self.templateId = templateId
    self.provider = provider
    self.model = model
    self.cached = cached
    self.images = images
    self.thumbnail = thumbnail
    self.text = text
    self.places = places
    self.warnings = warnings
    self.failures = failures
    self.error = error
    self.credits = credits
    self.usage = usage
    self.timings = timings
    self.parentGenerationId = parentGenerationId
    self.originalGenerationId = originalGenerationId
    self.private = `private`
    self.favorite = favorite
    self.feedback = feedback
    self.metadata = metadata
  }
}

extension Generation {
  /// The same generation without the bytes of its pictures.
  public var withoutInlineData: Generation {
    var generation = self
    for index in generation.images.indices { generation.images[index].data = nil }
    return generation
  }

  /// How far a generation is that has not ended.
  public struct Progress: Codable, Sendable, Equatable {
    /// The number of its latest progress notification.
    public var sequence: Int64
    /// What it does now.
    public var phase: Phase
    /// The same as a sentence for people.
    public var message: String
    /// How much of the phase is done, 0 to 1 with at most three decimals, where that is known.
    public var fraction: Double?
    /// How much of everything is done, 0 to 1 with at most three decimals. It never steps back.
    public var overall: Double
    /// 1 for the next to start; absent when it does not wait.
    public var queuePosition: Int?
    /// Milliseconds until its end, judged by how long others took; absent where nothing is known.
    public var etaMs: Int64?

    public init(
      sequence: Int64, phase: Phase, message: String, fraction: Double? = nil, overall: Double,
      queuePosition: Int? = nil, etaMs: Int64? = nil
    ) {
      self.sequence = sequence
      self.phase = phase
      self.message = message
      self.fraction = fraction
      self.overall = overall
      self.queuePosition = queuePosition
      self.etaMs = etaMs
    }
  }

  /// What a person thought of a result.
  public struct Feedback: Codable, Sendable, Equatable {
    /// 1 to 5, from bad to good.
    public var rating: Int
    /// The person's own words.
    public var text: String?

    public init(rating: Int, text: String? = nil) {
      self.rating = rating
      self.text = text
    }
  }
}

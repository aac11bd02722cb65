import JSON
import Localization

/// A generation: the request, its state and its result. It is the same object wherever a generation appears.
public struct Generation: Codable, Sendable, Equatable {
  /// The id of the generation.
  public var generationId: GenerationID
  /// The state of the generation.
  public var state: GenerationState
  /// The kind of picture.
  public var recipe: Recipe
  /// The account that the generation belongs to.
  public var account: AccountID
  /// When the generation was accepted.
  public var createdAt: Timestamp
  /// When the work began.
  public var startedAt: Timestamp?
  /// When the generation ended.
  public var finishedAt: Timestamp?
  /// The progress; absent once the generation has ended.
  public var progress: Progress?
  /// The prompt; absent for a private generation.
  public var prompt: String?
  /// The look of a headshot.
  public var style: Style?
  /// The template of the hairstyle library.
  public var templateId: String?
  /// The provider that made the pictures or is to make them.
  public var provider: ProviderID?
  /// The model that made the pictures or is to make them.
  public var model: String?
  /// True when an identical earlier result was reused, at no cost.
  public var cached: Bool
  /// The pictures, by index; empty if there are none yet. A generation that failed because its pictures could not be stored
  /// has them with their `data` in the answer, which is all that there is of them: save them then.
  public var images: [GeneratedImage]
  /// The path of a small picture for lists, which is made shortly after the end.
  @HostPath public var thumbnail: String?
  /// Text that the provider returned with the pictures.
  public var text: String?
  /// The places that a `places` request found.
  public var places: [Place]?
  /// What the model named and no lookup confirmed; of a `places` request that has ended.
  public var dropped: DroppedPlaces?
  /// What the person should know about the result.
  public var warnings: [Warning]
  /// The pictures of a partial result that could not be made.
  public var failures: [ImageFailure]
  /// Why the generation failed, was interrupted or expired.
  public var error: ErrorBody?
  /// What the generation did to the credits of its account.
  public var credits: Credits
  /// What the provider counted and charged.
  public var usage: Usage
  /// How long each phase took.
  public var timings: Timings
  /// The generation that this one refines or makes again.
  public var parentGenerationId: GenerationID?
  /// The generation that `regenerate` made again.
  public var originalGenerationId: GenerationID?
  /// True when neither prompt nor pictures are kept; absent otherwise.
  public var `private`: Bool?
  /// True when it is marked as a favorite; absent otherwise.
  public var favorite: Bool?
  /// The person's opinion, as stored by `feedback/submit`.
  public var feedback: Feedback?
  /// The host's data, from the request or from `history/annotate`.
  public var metadata: JSONObject?

  public init(
    generationId: GenerationID, state: GenerationState, recipe: Recipe, account: AccountID, createdAt: Timestamp,
    startedAt: Timestamp? = nil, finishedAt: Timestamp? = nil, progress: Progress? = nil, prompt: String? = nil,
    style: Style? = nil, templateId: String? = nil, provider: ProviderID? = nil, model: String? = nil,
    cached: Bool = false, images: [GeneratedImage] = [], thumbnail: String? = nil, text: String? = nil,
    places: [Place]? = nil, dropped: DroppedPlaces? = nil, warnings: [Warning] = [], failures: [ImageFailure] = [],
    error: ErrorBody? = nil, credits: Credits = Credits(balanceAfter: nil), usage: Usage = Usage(),
    timings: Timings = Timings(), parentGenerationId: GenerationID? = nil, originalGenerationId: GenerationID? = nil,
    `private`: Bool? = nil,
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
    self.dropped = dropped
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
  /// Whether it failed because its pictures or places could not be stored, and has them: they are nowhere else.
  public var handsOver: Bool { state == .failed && (!images.isEmpty || places != nil) }

  /// The same generation without the bytes of its pictures, unless they are nowhere else.
  public var withoutInlineData: Generation {
    if handsOver { return self }
    var generation = self
    for index in generation.images.indices {
      generation.images[index].data = nil
      generation.images[index].matte?.data = nil
    }
    return generation
  }

  /// The progress of a generation that has not ended.
  public struct Progress: Codable, Sendable, Equatable {
    /// The `sequence` of the latest progress notification.
    public var sequence: Int64
    /// The current phase.
    public var phase: Phase
    /// What the generation is doing, as a sentence for the person.
    public var message: Sentence
    /// The part of the phase that is done, from 0 to 1 with at most three decimals; absent if unknown.
    public var fraction: Double?
    /// The part of the generation that is done, from 0 to 1 with at most three decimals. It decreases only when the
    /// generation returns to the phase `queued`.
    public var overall: Double
    /// The position among the waiting generations: 1 starts next. Absent if the generation is not waiting.
    public var queuePosition: Int?
    /// Estimated milliseconds until the end, based on the duration of earlier generations; absent if there is no
    /// estimate.
    public var etaMs: Int64?

    public init(
      sequence: Int64, phase: Phase, message: Sentence, fraction: Double? = nil, overall: Double,
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

  /// A person's opinion of a result.
  public struct Feedback: Codable, Sendable, Equatable {
    /// From 1 (bad) to 5 (good).
    public var rating: Int
    /// The opinion in the person's own words.
    public var text: String?

    public init(rating: Int, text: String? = nil) {
      self.rating = rating
      self.text = text
    }
  }
}

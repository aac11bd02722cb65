import JSONRPC

extension History {
  /// The record of one generation.
  public struct Entry: Codable, Sendable, Equatable {
    public var generationId: GenerationID
    /// When it was accepted.
    public var createdAt: Timestamp
    /// When it ended; absent while it goes on.
    public var finishedAt: Timestamp?
    public var recipe: Recipe
    public var state: GenerationState
    /// What was asked for; absent where nothing was, or the request was private.
    public var prompt: String?
    /// How a headshot was to look.
    public var style: Style?
    /// The template of the library that was asked for.
    public var template: String?
    public var account: AccountID
    /// Who made it.
    public var provider: ProviderID?
    /// What made it.
    public var model: String?
    /// True when an identical earlier result answered, at no cost.
    public var cached: Bool
    /// The pictures that are kept; never with inline data.
    public var images: [GeneratedImage]
    /// The file of a small picture.
    public var thumbnail: String?
    public var credits: Credits
    /// The generation it refines or makes again.
    public var parent: GenerationID?
    /// The generation it makes again: the same as `parent`, where it does.
    public var regenerationOf: GenerationID?
    /// What a person thought of it.
    public var feedback: Feedback?
    public var usage: Usage
    public var timings: Timings
    /// What the host sent along, or noted later.
    public var metadata: JSONObject?
    /// true where it was marked as one; absent otherwise.
    public var favourite: Bool?
    /// Why it failed.
    public var error: ErrorBody?

    public init(
      generationId: GenerationID, createdAt: Timestamp, finishedAt: Timestamp? = nil, recipe: Recipe,
      state: GenerationState, prompt: String? = nil, style: Style? = nil, template: String? = nil, account: AccountID,
      provider: ProviderID? = nil, model: String? = nil, cached: Bool = false, images: [GeneratedImage],
      thumbnail: String? = nil, credits: Credits, parent: GenerationID? = nil, regenerationOf: GenerationID? = nil,
      feedback: Feedback? = nil, usage: Usage = Usage(),
      timings: Timings = Timings(), metadata: JSONObject? = nil, favourite: Bool? = nil, error: ErrorBody? = nil
    ) {
      self.generationId = generationId
      self.createdAt = createdAt
      self.finishedAt = finishedAt
      self.recipe = recipe
      self.state = state
      self.prompt = prompt
      self.style = style
      self.template = template
      self.account = account
      self.provider = provider
      self.model = model
      self.cached = cached
      self.images = images
      self.thumbnail = thumbnail
      self.credits = credits
      self.parent = parent
      self.regenerationOf = regenerationOf
      self.feedback = feedback
      self.usage = usage
      self.timings = timings
      self.metadata = metadata
      self.favourite = favourite
      self.error = error
    }

    /// What it cost.
    public struct Credits: Codable, Sendable, Equatable {
      /// Credits spent on it.
      public var cost: Int
      /// What the account had left then; null where no credits were set aside, as for an account that is not metered.
      @Nullable public var balanceAfter: Int?

      public init(cost: Int = 0, balanceAfter: Int?) {
        self.cost = cost
        self.balanceAfter = balanceAfter
      }
    }

    /// What a person thought of a result.
    public struct Feedback: Codable, Sendable, Equatable {
      /// 1 to 5.
      public var rating: Int
      public var text: String?

      public init(rating: Int, text: String? = nil) {
        self.rating = rating
        self.text = text
      }
    }
  }
}

extension History.Entry: SchemaDescribed {
  public static let summary = "The record of one generation."

  public static let members = [
    "createdAt": "When it was accepted.",
    "finishedAt": "When it ended; absent while it goes on.",
    "prompt": "What was asked for; absent where nothing was, or the request was private.",
    "style": "How a headshot was to look.",
    "template": "The template of the library that was asked for.",
    "provider": "Who made it.",
    "model": "What made it.",
    "cached": "True when an identical earlier result answered, at no cost.",
    "images": "The pictures that are kept; never with inline data.",
    "thumbnail": "The file of a small picture.",
    "parent": "The generation it refines or makes again.",
    "regenerationOf": "The generation it makes again: the same as `parent`, where it does.",
    "feedback": "What a person thought of it.",
    "metadata": "What the host sent along, or noted later.",
    "favourite": "true where it was marked as one; absent otherwise.",
    "error": "Why it failed.",
  ]
}

extension History.Entry.Credits: SchemaDescribed {
  public static let summary = "What it cost."

  public static let members = [
    "cost": "Credits spent on it.",
    "balanceAfter":
      "What the account had left then; null where no credits were set aside, as for an account that is not metered.",
  ]
}

extension History.Entry.Feedback: SchemaDescribed {
  public static let summary = "What a person thought of a result."

  public static let members = [
    "rating": "1 to 5."
  ]
}

import JSON

/// `history`: what was generated, newest first, in pages.
///
/// A cursor stays valid while records are added or removed. A page may be shorter than its limit so that its line stays
/// under 60 KiB.
public struct History: RequestMessage {
  public static let method = "history"

  /// Whose. `*` is everybody's, for a connection that is not confined to one. Default: the account of `initialize`,
  /// else `owner`.
  @Limited<AccountOrEverybody> public var account: AccountID?
  /// The most entries wanted. Default 20.
  @Limited<PageSize> public var limit: Int?
  /// Where to go on: `nextCursor` of the page before.
  @Limited<CursorLength> public var cursor: String?
  /// Only of this recipe.
  public var recipe: Recipe?
  /// Only in this state.
  public var state: GenerationState?
  /// Only created at or after this time.
  public var since: Timestamp?
  /// Only created before this time.
  public var until: Timestamp?
  /// Only with this in the prompt or the text, taken literally and without regard to the case of A to Z. Where it may
  /// be in many places, a page may be short or empty and yet have a `nextCursor`: go on with it.
  @Limited<SearchLength> public var search: String?
  /// Only refinements of this generation.
  public var parent: GenerationID?
  /// true: only those marked as favourites with `history/annotate`.
  public var favourite: Bool?

  public init(
    account: AccountID? = nil, limit: Int? = nil, cursor: String? = nil, recipe: Recipe? = nil,
    state: GenerationState? = nil, since: Timestamp? = nil, until: Timestamp? = nil, search: String? = nil,
    parent: GenerationID? = nil, favourite: Bool? = nil
  ) {
    self.account = account
    self.limit = limit
    self.cursor = cursor
    self.recipe = recipe
    self.state = state
    self.since = since
    self.until = until
    self.search = search
    self.parent = parent
    self.favourite = favourite
  }

  /// How many entries a page has when the request does not say.
  public static let defaultLimit = 20

  /// One page, and sums over everything that matches.
  public struct Result: Codable, Sendable, Equatable {
    /// Newest first.
    public var entries: [Entry]
    /// Where the next page begins; absent on the last.
    public var nextCursor: String?
    /// Over everything that matches, not this page only.
    public var totals: Totals
    /// The calendar month in UTC, such as `2026-11`.
    public var currentPeriod: String

    public init(entries: [Entry], nextCursor: String? = nil, totals: Totals, currentPeriod: String) {
      self.entries = entries
      self.nextCursor = nextCursor
      self.totals = totals
      self.currentPeriod = currentPeriod
    }
  }
}

extension History: SchemaDescribed {
  public static let summary =
    "What was generated, newest first, in pages. A cursor stays valid while records are added or removed. A "
    + "page may be shorter than its limit so that its line stays under 60 KiB."

  public static let members = [
    "account":
      "Whose. `*` is everybody's, for a connection that is not confined to one. Default: the account of "
      + "`initialize`, else `owner`.",
    "limit": "The most entries wanted. Default 20.",
    "cursor": "Where to go on: `nextCursor` of the page before.",
    "recipe": "Only of this recipe.",
    "state": "Only in this state.",
    "since": "Only created at or after this time.",
    "until": "Only created before this time.",
    "search":
      "Only with this in the prompt or the text, taken literally and without regard to the case of A to Z. Where it "
      + "may be in many places, a page may be short or empty and yet have a `nextCursor`: go on with it.",
    "parent": "Only refinements of this generation.",
    "favourite": "true: only those marked as favourites with `history/annotate`.",
  ]
}

extension History.Result: SchemaDescribed {
  public static let summary = "One page, and sums over everything that matches."

  public static let members = [
    "entries": "Newest first.",
    "nextCursor": "Where the next page begins; absent on the last.",
    "totals": "Over everything that matches, not this page only.",
    "currentPeriod": "The calendar month in UTC, such as `2026-11`.",
  ]
}

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

extension History {
  /// Sums over records.
  public struct Totals: Codable, Sendable, Equatable {
    public var generations: Int
    public var creditsUsed: Int
    /// What providers charged, in US dollars, as far as it is known.
    public var costUsd: Double
    /// True where a search found so much that it was not counted to the end: there are at least so many.
    public var atLeast: Bool?

    public init(generations: Int = 0, creditsUsed: Int = 0, costUsd: Double = 0, atLeast: Bool? = nil) {
      self.generations = generations
      self.creditsUsed = creditsUsed
      self.costUsd = costUsd
      self.atLeast = atLeast
    }
  }
}

extension History.Totals: SchemaDescribed {
  public static let summary = "Sums over records."

  public static let members = [
    "costUsd": "What providers charged, in US dollars, as far as it is known.",
    "atLeast": "True where a search found so much that it was not counted to the end: there are at least so many.",
  ]
}

/// `history/get`: the record of one generation.
public struct HistoryGet: RequestMessage {
  public static let method = "history/get"

  public var generationId: GenerationID
  /// Whose it is. Default: the account of `initialize`, else any.
  public var account: AccountID?

  public init(generationId: GenerationID, account: AccountID? = nil) {
    self.generationId = generationId
    self.account = account
  }

  public typealias Result = History.Entry
}

extension HistoryGet: SchemaDescribed {
  public static let summary = "The record of one generation."

  public static let members = [
    "account": "Whose it is. Default: the account of `initialize`, else any."
  ]
}

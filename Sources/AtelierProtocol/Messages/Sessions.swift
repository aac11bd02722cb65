/// `session/list`: chains of refinements, the one that went on last first.
///
/// A generation that was refined or made again, all that came of it, and all that came of those, are one session.
public struct SessionList: RequestMessage {
  public static let method = "session/list"

  /// Whose. `*` is everybody's, for a connection that is not confined to one. Default: the account of `initialize`,
  /// else `owner`.
  @Limited<AccountOrEverybody> public var account: AccountID?
  /// The most sessions wanted. Default 20.
  @Limited<PageSize> public var limit: Int?
  /// Where to go on: `nextCursor` of the page before.
  @Limited<CursorLength> public var cursor: String?

  public init(account: AccountID? = nil, limit: Int? = nil, cursor: String? = nil) {
    self.account = account
    self.limit = limit
    self.cursor = cursor
  }

  public struct Result: Codable, Sendable, Equatable {
    /// The one that went on last first.
    public var sessions: [Entry]
    /// Where the next page begins; absent on the last.
    public var nextCursor: String?

    public init(sessions: [Entry], nextCursor: String? = nil) {
      self.sessions = sessions
      self.nextCursor = nextCursor
    }
  }

  /// One session.
  public struct Entry: Codable, Sendable, Equatable {
    /// That of the generation it began with, even after that was deleted.
    public var sessionId: GenerationID
    public var account: AccountID
    /// How many of its generations are in history.
    public var steps: Int
    /// When its newest step was accepted.
    public var latestAt: Timestamp
    /// Its earliest step that is in history.
    public var first: Step
    /// Its newest step.
    public var last: Step
    /// The file of a small picture of the newest step that has one, of these two.
    public var thumbnail: String?

    public init(
      sessionId: GenerationID, account: AccountID, steps: Int, latestAt: Timestamp, first: Step, last: Step,
      thumbnail: String? = nil
    ) {
      self.sessionId = sessionId
      self.account = account
      self.steps = steps
      self.latestAt = latestAt
      self.first = first
      self.last = last
      self.thumbnail = thumbnail
    }
  }

  /// What a list shows of a step; `history/get` tells the rest.
  public struct Step: Codable, Sendable, Equatable {
    public var generationId: GenerationID
    public var createdAt: Timestamp
    public var recipe: Recipe
    public var state: GenerationState
    /// The beginning of what was asked for, at most 120 characters.
    public var prompt: String?

    public init(
      generationId: GenerationID, createdAt: Timestamp, recipe: Recipe, state: GenerationState, prompt: String? = nil
    ) {
      self.generationId = generationId
      self.createdAt = createdAt
      self.recipe = recipe
      self.state = state
      self.prompt = prompt
    }
  }
}

extension SessionList: SchemaDescribed {
  public static let summary =
    "Chains of refinements, the one that went on last first. A generation that was refined or made again, all that "
    + "came of it, and all that came of those, are one session."

  public static let members = [
    "account":
      "Whose. `*` is everybody's, for a connection that is not confined to one. Default: the account of "
      + "`initialize`, else `owner`.",
    "limit": "The most sessions wanted. Default 20.",
    "cursor": "Where to go on: `nextCursor` of the page before.",
  ]
}

extension SessionList.Result: SchemaDescribed {
  public static let summary = "One page of sessions."

  public static let members = [
    "sessions": "The one that went on last first.",
    "nextCursor": "Where the next page begins; absent on the last.",
  ]
}

extension SessionList.Entry: SchemaDescribed {
  public static let summary = "One session."

  public static let members = [
    "sessionId": "That of the generation it began with, even after that was deleted.",
    "steps": "How many of its generations are in history.",
    "latestAt": "When its newest step was accepted.",
    "first": "Its earliest step that is in history.",
    "last": "Its newest step.",
    "thumbnail": "The file of a small picture of the newest step that has one, of these two.",
  ]
}

extension SessionList.Step: SchemaDescribed {
  public static let summary = "What a list shows of a step; `history/get` tells the rest."

  public static let members = [
    "prompt": "The beginning of what was asked for, at most 120 characters."
  ]
}

/// `session/get`: the steps of a session, the first ones first, in pages.
///
/// Each entry's `parent` says what it refines; it comes after that one, unless that one was deleted. A page may be
/// shorter than its limit so that its line stays under 60 KiB.
public struct SessionGet: RequestMessage {
  public static let method = "session/get"

  /// The session's id, or that of any of its generations.
  public var sessionId: GenerationID
  /// Whose it is. Default: the account of `initialize`, else any.
  public var account: AccountID?
  /// The most entries wanted. Default 20.
  @Limited<PageSize> public var limit: Int?
  /// Where to go on: `nextCursor` of the page before.
  @Limited<CursorLength> public var cursor: String?

  public init(sessionId: GenerationID, account: AccountID? = nil, limit: Int? = nil, cursor: String? = nil) {
    self.sessionId = sessionId
    self.account = account
    self.limit = limit
    self.cursor = cursor
  }

  public struct Result: Codable, Sendable, Equatable {
    public var session: SessionList.Entry
    /// The first ones first.
    public var entries: [History.Entry]
    /// Where the next page begins; absent on the last.
    public var nextCursor: String?

    public init(session: SessionList.Entry, entries: [History.Entry], nextCursor: String? = nil) {
      self.session = session
      self.entries = entries
      self.nextCursor = nextCursor
    }
  }
}

extension SessionGet: SchemaDescribed {
  public static let summary =
    "The steps of a session, the first ones first, in pages. Each entry's `parent` says what it refines; it comes "
    + "after that one, unless that one was deleted. A page may be shorter than its limit so that its line stays under 60 KiB."

  public static let members = [
    "sessionId": "The session's id, or that of any of its generations.",
    "account": "Whose it is. Default: the account of `initialize`, else any.",
    "limit": "The most entries wanted. Default 20.",
    "cursor": "Where to go on: `nextCursor` of the page before.",
  ]
}

extension SessionGet.Result: SchemaDescribed {
  public static let summary = "Some steps of a session."

  public static let members = [
    "entries": "The first ones first.",
    "nextCursor": "Where the next page begins; absent on the last.",
  ]
}

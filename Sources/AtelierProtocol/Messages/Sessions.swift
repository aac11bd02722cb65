/// Chains of refinements, the one that went on last first.
///
/// A generation that was refined or made again, all that came of it, and all that came of those, are one session.
public struct SessionList: RequestMessage {
  public static let method = "session/list"
  public static let errors: [ErrorKind] = [.permissionDenied]

  /// The account, by the rule for accounts; `*` is everybody's.
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

  /// One page of sessions.
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
    /// Whose session it is.
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
    /// The generation.
    public var generationId: GenerationID
    /// When it was accepted.
    public var createdAt: Timestamp
    /// What was made.
    public var recipe: Recipe
    /// Where it stands.
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

/// The steps of a session, the first ones first, in pages.
///
/// An entry comes after the one it refines, which its `parentGenerationId` names. A page may
/// be shorter than its limit so that its line stays under 60 KiB.
public struct SessionGet: RequestMessage {
  public static let method = "session/get"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound]

  /// The session's id, or that of any of its generations.
  public var sessionId: GenerationID
  /// The account it must belong to, by the rule for accounts.
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

  /// Some steps of a session.
  public struct Result: Codable, Sendable, Equatable {
    /// The session the steps belong to.
    public var session: SessionList.Entry
    /// The first ones first.
    public var entries: [Generation]
    /// Where the next page begins; absent on the last.
    public var nextCursor: String?

    public init(session: SessionList.Entry, entries: [Generation], nextCursor: String? = nil) {
      self.session = session
      self.entries = entries
      self.nextCursor = nextCursor
    }
  }
}

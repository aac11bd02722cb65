/// Lists sessions, the one with the newest step first.
///
/// A session is a chain of refinements: a generation, the generations that refine it or make it again, those that
/// refine these, and so on.
public struct SessionList: RequestMessage {
  public static let method = "session/list"
  public static let errors: [ErrorKind] = [.permissionDenied]

  /// The account, or `*` for all accounts. Default: the connection's account, otherwise `owner`.
  @Limited<AccountOrEverybody> public var account: AccountID?
  /// The maximum number of sessions in the page. Default 20.
  @Limited<PageSize> public var limit: Int?
  /// The `nextCursor` of the previous page. Default: the first page.
  @Limited<CursorLength> public var cursor: String?

  public init(account: AccountID? = nil, limit: Int? = nil, cursor: String? = nil) {
    self.account = account
    self.limit = limit
    self.cursor = cursor
  }

  /// One page of sessions.
  public struct Result: Codable, Sendable, Equatable {
    /// The sessions, the one with the newest step first.
    public var sessions: [Entry]
    /// The cursor of the next page; absent on the last page.
    public var nextCursor: String?

    public init(sessions: [Entry], nextCursor: String? = nil) {
      self.sessions = sessions
      self.nextCursor = nextCursor
    }
  }

  /// One session.
  public struct Entry: Codable, Sendable, Equatable {
    /// The id of the generation with which the session began, even if that generation was deleted.
    public var sessionId: GenerationID
    /// The account that the session belongs to.
    public var account: AccountID
    /// The number of its generations that are in history.
    public var steps: Int
    /// When the newest step was accepted.
    public var latestAt: Timestamp
    /// The earliest step that is in history.
    public var first: Step
    /// The newest step.
    public var last: Step
    /// The thumbnail file of `last` or, if it has none, of `first`.
    @HostPath public var thumbnail: String?

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

  /// The members of a step that a list shows; `history/get` returns all of them.
  public struct Step: Codable, Sendable, Equatable {
    /// The generation.
    public var generationId: GenerationID
    /// When the generation was accepted.
    public var createdAt: Timestamp
    /// The recipe of the generation.
    public var recipe: Recipe
    /// The state of the generation.
    public var state: GenerationState
    /// The beginning of the prompt, at most 120 characters.
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

/// Lists the steps of a session, oldest first, in pages.
///
/// Each entry comes after the one that it refines, which its `parentGenerationId` names. A page may be shorter than its
/// limit, so that its line stays under 60 KiB.
public struct SessionGet: RequestMessage {
  public static let method = "session/get"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound]

  /// The id of the session, or of any of its generations.
  public var sessionId: GenerationID
  /// The account that the session must belong to. Default: the connection's account, otherwise any.
  public var account: AccountID?
  /// The maximum number of entries in the page. Default 20.
  @Limited<PageSize> public var limit: Int?
  /// The `nextCursor` of the previous page. Default: the first page.
  @Limited<CursorLength> public var cursor: String?

  public init(sessionId: GenerationID, account: AccountID? = nil, limit: Int? = nil, cursor: String? = nil) {
    self.sessionId = sessionId
    self.account = account
    self.limit = limit
    self.cursor = cursor
  }

  /// One page of steps.
  public struct Result: Codable, Sendable, Equatable {
    /// The session that the steps belong to.
    public var session: SessionList.Entry
    /// The steps, oldest first.
    public var entries: [Generation]
    /// The cursor of the next page; absent on the last page.
    public var nextCursor: String?

    public init(session: SessionList.Entry, entries: [Generation], nextCursor: String? = nil) {
      self.session = session
      self.entries = entries
      self.nextCursor = nextCursor
    }
  }
}

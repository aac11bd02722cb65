import JSON

/// What was generated, newest first, in pages.
///
/// A cursor stays valid while records are added or removed. A page may be shorter than its limit so that its line
/// stays under 60 KiB.
public struct History: RequestMessage {
  public static let method = "history"
  public static let errors: [ErrorKind] = [.permissionDenied]

  /// The account, by the rule for accounts; `*` is everybody's.
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
  /// Only refinements and regenerations of this generation.
  public var parentGenerationId: GenerationID?
  /// true: only those marked as favorites with `history/annotate`.
  public var favorite: Bool?

  public init(
    account: AccountID? = nil, limit: Int? = nil, cursor: String? = nil, recipe: Recipe? = nil,
    state: GenerationState? = nil, since: Timestamp? = nil, until: Timestamp? = nil, search: String? = nil,
    parentGenerationId: GenerationID? = nil, favorite: Bool? = nil
  ) {
    self.account = account
    self.limit = limit
    self.cursor = cursor
    self.recipe = recipe
    self.state = state
    self.since = since
    self.until = until
    self.search = search
    self.parentGenerationId = parentGenerationId
    self.favorite = favorite
  }

  /// How many entries a page has when the request does not say.
  public static let defaultLimit = 20

  /// One page, and sums over everything that matches.
  public struct Result: Codable, Sendable, Equatable {
    /// Newest first.
    public var entries: [Generation]
    /// Where the next page begins; absent on the last.
    public var nextCursor: String?
    /// Over everything that matches, not this page only.
    public var totals: Totals
    /// The calendar month in UTC, such as `2026-11`.
    public var currentPeriod: String

    public init(entries: [Generation], nextCursor: String? = nil, totals: Totals, currentPeriod: String) {
      self.entries = entries
      self.nextCursor = nextCursor
      self.totals = totals
      self.currentPeriod = currentPeriod
    }
  }
}

extension History {
  /// Sums over records.
  public struct Totals: Codable, Sendable, Equatable {
    /// How many match.
    public var generations: Int
    /// Credits spent on them.
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

/// The record of one generation.
public struct HistoryGet: RequestMessage {
  public static let method = "history/get"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound]

  /// The generation.
  public var generationId: GenerationID
  /// The account it must belong to, by the rule for accounts.
  public var account: AccountID?

  public init(generationId: GenerationID, account: AccountID? = nil) {
    self.generationId = generationId
    self.account = account
  }

  public typealias Result = Generation
}

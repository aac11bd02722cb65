/// Lists generations, newest first, in pages.
///
/// A cursor stays valid when generations are added or deleted. A page may be shorter than its limit, so that its line
/// stays under 60 KiB.
public struct History: RequestMessage {
  public static let method = "history"
  public static let errors: [ErrorKind] = [.permissionDenied]

  /// The account, or `*` for all accounts. Default: the connection's account, otherwise `owner`.
  @Limited<AccountOrEverybody> public var account: AccountID?
  /// The maximum number of entries in the page. Default 20.
  @Limited<PageSize> public var limit: Int?
  /// The `nextCursor` of the previous page. Default: the first page.
  @Limited<CursorLength> public var cursor: String?
  /// Only generations of this recipe.
  public var recipe: Recipe?
  /// Only generations in this state.
  public var state: GenerationState?
  /// Only generations accepted at or after this time.
  public var since: Timestamp?
  /// Only generations accepted before this time.
  public var until: Timestamp?
  /// Only generations with this in `prompt`, `text`, or the strings `source` and `target` of the request's `metadata`,
  /// taken literally, but without regard to the case of A to Z. If much of the history has to be searched, a page may be
  /// short or even empty and still have a `nextCursor`: continue with it.
  @Limited<SearchLength> public var search: String?
  /// Only refinements and regenerations of this generation.
  public var parentGenerationId: GenerationID?
  /// true: only generations marked as favorites with `history/annotate`. Default false.
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

  /// The page size if the request names none.
  public static let defaultLimit = 20

  /// One page of generations, and sums over all that match.
  public struct Result: Codable, Sendable, Equatable {
    /// The generations, newest first.
    public var entries: [Generation]
    /// The cursor of the next page; absent on the last page.
    public var nextCursor: String?
    /// Sums over all generations that match, not only those of this page.
    public var totals: Totals
    /// The current calendar month in UTC, such as `2026-11`.
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
  /// Sums over generations.
  public struct Totals: Codable, Sendable, Equatable {
    /// The number of generations that match.
    public var generations: Int
    /// Credits spent on them.
    public var creditsUsed: Int
    /// What the providers charged, in US dollars, as far as known.
    public var costUsd: Double
    /// True if a search was not counted to the end: the sums are at least these. Absent otherwise.
    public var atLeast: Bool?

    public init(generations: Int = 0, creditsUsed: Int = 0, costUsd: Double = 0, atLeast: Bool? = nil) {
      self.generations = generations
      self.creditsUsed = creditsUsed
      self.costUsd = costUsd
      self.atLeast = atLeast
    }
  }
}

/// Returns one generation.
public struct HistoryGet: RequestMessage {
  public static let method = "history/get"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound]

  /// The generation.
  public var generationId: GenerationID
  /// The account that the generation must belong to. Default: the connection's account, otherwise any.
  public var account: AccountID?

  public init(generationId: GenerationID, account: AccountID? = nil) {
    self.generationId = generationId
    self.account = account
  }

  public typealias Result = Generation
}

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

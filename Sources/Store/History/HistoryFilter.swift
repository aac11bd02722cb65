import AtelierProtocol

/// Which generations a page, its totals or an export are about. All conditions hold together.
public struct HistoryFilter: Sendable, Equatable {
  /// One account's; nil for all (`"*"` on the wire).
  public var account: AccountID?
  public var recipe: Recipe?
  public var state: GenerationState?
  /// Created at or after.
  public var since: Timestamp?
  /// Created before.
  public var until: Timestamp?
  /// Found in the prompt or in the text of the result, without regard to ASCII case; taken literally.
  public var search: String?
  /// Refinements of this generation.
  public var parent: GenerationID?
  /// Only those marked as favourites.
  public var onlyFavourites: Bool

  public init(
    account: AccountID? = nil, recipe: Recipe? = nil, state: GenerationState? = nil, since: Timestamp? = nil,
    until: Timestamp? = nil, search: String? = nil, parent: GenerationID? = nil, onlyFavourites: Bool = false
  ) {
    self.account = account
    self.recipe = recipe
    self.state = state
    self.since = since
    self.until = until
    self.search = search
    self.parent = parent
    self.onlyFavourites = onlyFavourites
  }
}

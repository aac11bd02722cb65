import AtelierProtocol

/// Selects the generations of a page, its totals or an export. All conditions must hold.
public struct HistoryFilter: Sendable, Equatable {
  /// The account; nil for all (`"*"` on the wire).
  public var account: AccountID?
  public var recipe: Recipe?
  public var state: GenerationState?
  /// Created at or after.
  public var since: Timestamp?
  /// Created before.
  public var until: Timestamp?
  /// Text to find in the prompt, in the text of the result, or in `source` and `target` of the request's metadata,
  /// ignoring ASCII case; taken literally.
  public var search: String?
  /// Refinements of this generation.
  public var parent: GenerationID?
  /// Only generations marked as favorites.
  public var onlyFavorites: Bool

  public init(
    account: AccountID? = nil, recipe: Recipe? = nil, state: GenerationState? = nil, since: Timestamp? = nil,
    until: Timestamp? = nil, search: String? = nil, parent: GenerationID? = nil, onlyFavorites: Bool = false
  ) {
    self.account = account
    self.recipe = recipe
    self.state = state
    self.since = since
    self.until = until
    self.search = search
    self.parent = parent
    self.onlyFavorites = onlyFavorites
  }
}

/// A recipe and a final state, which the generations of one index range have in common.
struct HistoryKind {
  var recipe: Recipe
  var state: GenerationState
}

extension HistoryFilter {
  /// Whether the filter searches for text.
  var searches: Bool { search?.isEmpty == false }

  /// The kinds of ended generations that match the filter.
  var kinds: [HistoryKind] {
    recipes.flatMap { recipe in finalStates.map { HistoryKind(recipe: recipe, state: $0) } }
  }

  var recipes: [Recipe] { recipe.map { [$0] } ?? Recipe.allCases }

  /// The states of ended generations that match the filter.
  var finalStates: [GenerationState] { (state.map { [$0] } ?? GenerationState.allCases).filter(\.isFinal) }

  /// Whether generations that have not ended can match.
  var admitsOpen: Bool { state.map { !$0.isFinal } ?? true }

  /// The filter with other times.
  func within(_ times: Range<Int64>) -> HistoryFilter {
    var filter = self
    filter.since = Timestamp(milliseconds: times.lowerBound)
    filter.until = Timestamp(milliseconds: times.upperBound)
    return filter
  }
}

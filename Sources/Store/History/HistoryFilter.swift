import AtelierProtocol
import Encodings

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
  /// Text to find in the prompt or in the text of the result, ignoring ASCII case; taken literally.
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

/// The position after one entry of a list of generations or sessions. It contains the entry's time and id, so it stays
/// valid when entries are added or removed, including this entry.
public struct HistoryCursor: Sendable, Equatable {
  var created: Int64
  var id: String

  init(created: Int64, id: String) {
    self.created = created
    self.id = id
  }

  /// The position after all entries accepted at `time` or later.
  init(before time: Int64) {
    // No id is greater than this one.
    self.init(created: time - 1, id: "\u{10FFFF}")
  }

  public init(after row: GenerationRow) {
    created = row.created.milliseconds
    id = row.id.rawValue
  }

  /// - Parameters:
  ///   - text: a value of ``text(of:)``.
  ///   - list: the name of the list it must belong to.
  /// - Returns: nil for anything else.
  public init?(_ text: String, of list: String) {
    guard let bytes = Base64URL.decoded(text.utf8) else { return nil }
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 2)
    guard parts.count == 3, parts[0] == list, let created = Int64(parts[1]), !parts[2].utf8.contains(0) else { return nil }
    self.created = created
    id = String(parts[2])
    // A time outside the valid range would overflow in the search's arithmetic.
    guard self.text(of: list) == text, Timestamp.range.contains(Timestamp(milliseconds: created)),
      id.unicodeScalars.count <= GenerationID.maximumLength
    else { return nil }
  }

  /// Opaque to clients.
  /// - Parameter list: the name of the list, such as the method that gives it: no other accepts the cursor.
  public func text(of list: String) -> String { Base64URL.encoded("\(list):\(created):\(id)".utf8) }
}

import AtelierProtocol

/// A recipe and a final state: what the generations of one stretch of the index have in common.
struct HistoryKind {
  var recipe: Recipe
  var state: GenerationState
}

extension HistoryFilter {
  /// The kinds of ended generations it lets through.
  var kinds: [HistoryKind] {
    let recipes = recipe.map { [$0] } ?? Recipe.allCases
    let states = (state.map { [$0] } ?? GenerationState.allCases).filter(\.isFinal)
    return recipes.flatMap { recipe in states.map { HistoryKind(recipe: recipe, state: $0) } }
  }

  /// Whether it lets generations through that have not ended.
  var admitsOpen: Bool { state.map { !$0.isFinal } ?? true }
}

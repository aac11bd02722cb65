import AtelierProtocol
import GRDB

/// A part of a statement with what goes into it.
struct SQLCondition {
  var sql = "TRUE"
  var arguments = StatementArguments()

  mutating func require(_ sql: String, _ values: [(any DatabaseValueConvertible)?] = []) {
    self.sql += " AND \(sql)"
    arguments += StatementArguments(values)
  }
}

extension HistoryFilter {
  /// Whether words are looked for.
  var searches: Bool { search?.isEmpty == false }

  /// The filter as a condition on `generation`, but for the parts that choose where to look: parent and favourites.
  /// - Parameter kind: recipe and state in place of the filter's own; nil for those.
  func condition(kind: HistoryKind? = nil) throws -> SQLCondition {
    var condition = SQLCondition()
    if let account { condition.require("account = ?", [try StoredText.identifier(account.rawValue)]) }
    if let kind {
      condition.require("recipe = ? AND state = ?", [kind.recipe.rawValue, kind.state.rawValue])
    } else {
      if let recipe { condition.require("recipe = ?", [recipe.rawValue]) }
      if let state { condition.require("state = ?", [state.rawValue]) }
    }
    if let since { condition.require("created >= ?", [since.milliseconds]) }
    if let until { condition.require("created < ?", [until.milliseconds]) }
    if let search, !search.isEmpty {
      let pattern = Self.pattern(search)
      condition.require("(prompt LIKE ? ESCAPE '\\' OR text LIKE ? ESCAPE '\\')", [pattern, pattern])
    }
    return condition
  }

  /// The LIKE pattern for texts that contain `search`, whose own `%` and `_` mean themselves.
  static func pattern(_ search: String) -> String {
    var pattern = "%"
    for character in StoredText.readable(search).unicodeScalars {
      if ["%", "_", "\\"].contains(character) { pattern += "\\" }
      pattern.unicodeScalars.append(character)
    }
    return pattern + "%"
  }
}

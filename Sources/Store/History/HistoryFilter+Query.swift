import AtelierProtocol
import GRDB

extension HistoryFilter {
  /// The filter as a condition on `generation`.
  func condition() throws -> (sql: String, arguments: StatementArguments) {
    var conditions = ["TRUE"]
    var arguments = StatementArguments()
    func require(_ sql: String, _ values: [(any DatabaseValueConvertible)?]) {
      conditions.append(sql)
      arguments += StatementArguments(values)
    }
    if let account { require("account = ?", [try StoredText.identifier(account.rawValue)]) }
    if let recipe { require("recipe = ?", [recipe.rawValue]) }
    if let state { require("state = ?", [state.rawValue]) }
    if let since { require("created >= ?", [since.milliseconds]) }
    if let until { require("created < ?", [until.milliseconds]) }
    if let parent { require("parent = ?", [try StoredText.identifier(parent.rawValue)]) }
    if let search, !search.isEmpty {
      let pattern = Self.pattern(search)
      require("(prompt LIKE ? ESCAPE '\\' OR text LIKE ? ESCAPE '\\')", [pattern, pattern])
    }
    return (conditions.joined(separator: " AND "), arguments)
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

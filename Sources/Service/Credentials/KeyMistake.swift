/// What stands in place of a key where an example was copied, or where more than the key was pasted.
enum KeyMistake: Sendable, Equatable {
  /// A reference that nothing has replaced: `${NAME}`, `$NAME`, `%NAME%`, `{{NAME}}`.
  case variable
  /// A word to be replaced by a key: `YOUR_API_KEY`, `<key>`, `sk-...`, `xxxx`.
  case example
  /// The key stands in quotation marks.
  case quotes
  /// Something stands before the key: `Bearer`, the name of a header or of a variable.
  case prefix

  /// - Returns: nil for a text that is a key, for all that can be seen.
  init?(_ text: String) {
    let text = text.trimmingBlanks
    guard let first = text.first, let last = text.last else { return nil }
    if Self.marks.contains(first) || Self.marks.contains(last) {
      self = .quotes
    } else if Self.isVariable(text) {
      self = .variable
    } else if Self.hasPrefix(text) {
      self = .prefix
    } else if Self.isExample(text) {
      self = .example
    } else {
      return nil
    }
  }

  /// What is wrong, phrased to follow the name of the place. It repeats nothing of the text, which may hold a key.
  var problem: String {
    switch self {
    case .variable: "holds the name of a variable that nothing has replaced by its value, as in ${NAME}"
    case .example: "holds a placeholder from an example"
    case .quotes: "holds quotation marks around the text"
    case .prefix: "holds more than the key, such as “Bearer” or a name before it"
    }
  }

  private static let marks: Set<Character> = ["\"", "'", "`", "“", "”", "„", "‘", "’", "«", "»"]

  private static func isVariable(_ text: String) -> Bool {
    if let start = text.firstRange(of: "${"), text[start.upperBound...].contains("}") { return true }
    let enclosures = [("{", "}"), ("%", "%"), ("$(", ")")]
    if text.count > 2, enclosures.contains(where: { text.hasPrefix($0.0) && text.hasSuffix($0.1) }) { return true }
    guard text.hasPrefix("$") else { return ["env:", "op://", "vault:"].contains(where: text.lowercased().hasPrefix) }
    return text.dropFirst().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") }
  }

  private static func hasPrefix(_ text: String) -> Bool {
    let lower = text.lowercased()
    if ["bearer ", "bearer:", "authorization:", "x-goog-api-key:", "api-key:", "x-api-key:", "export "]
      .contains(where: lower.hasPrefix) || lower == "bearer"
    {
      return true
    }
    // NAME=key, as in a file of variables.
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return false }
    let name = text[..<equals]
    return name.hasSuffix("KEY") && name.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_") }
  }

  private static func isExample(_ text: String) -> Bool {
    if text.contains("...") || text.contains("…") || text.contains("***") { return true }
    if [("<", ">"), ("[", "]")].contains(where: { text.hasPrefix($0.0) && text.hasSuffix($0.1) }) { return true }
    let words = text.uppercased().split { !($0.isLetter || $0.isNumber) }
    let name = words.joined(separator: "_")
    if Self.words.contains(name) || KeyedProvider.all.contains(where: { $0.environmentVariables.contains(name) }) {
      return true
    }
    let isOfKey = words.contains { ["KEY", "APIKEY", "TOKEN", "SECRET"].contains($0) }
    if isOfKey, let first = words.first, ["YOUR", "INSERT", "PASTE", "ENTER", "REPLACE"].contains(first) {
      return true
    }
    if words.first == "YOUR" || words.last == "HERE" { return true }
    // sk-xxxx, AIzaXXXXXXXX: no issued key ends in such a row.
    return words.last.map { $0.allSatisfy { $0 == "X" } && $0.count >= 3 || $0.hasSuffix("XXXXX") } ?? true
  }

  private static let words: Set<String> = [
    "NONE", "NULL", "NIL", "UNDEFINED", "N_A", "TODO", "CHANGEME", "CHANGE_ME", "REPLACEME", "REPLACE_ME", "PLACEHOLDER",
    "API_KEY",
  ]
}

extension String {
  fileprivate var trimmingBlanks: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    return String(rest)
  }
}

/// One statement that the store ran, and what it bound.
struct RecordedStatement {
  /// What is bound at one place.
  enum Value: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
  }

  var sql: String
  /// By place, from 1 on.
  var values: [Value]

  /// - Parameter expanded: the same text with the values in place of the parameters, as SQLite tells it.
  /// - Returns: nil when the two do not fit.
  init?(sql: String, expanded: String) {
    self.sql = sql
    var (before, after) = (sql[...], expanded[...])
    var found: [Value] = []
    var places: [Substring: Int] = [:]
    while let character = before.first {
      guard character == "?" || character == ":" else {
        guard after.first == character else { return nil }
        before.removeFirst()
        after.removeFirst()
        continue
      }
      let name = before.prefix { $0 == "?" || $0 == ":" || $0 == "_" || $0.isLetter || $0.isNumber }
      before.removeFirst(name.count)
      guard let value = Self.takeLiteral(&after) else { return nil }
      // A name or number that comes again is the same place.
      if name != "?", places.updateValue(found.count, forKey: name) != nil { continue }
      found.append(value)
    }
    values = found
  }

  private static func takeLiteral(_ text: inout Substring) -> Value? {
    if text.hasPrefix("NULL") {
      text.removeFirst(4)
      return .null
    }
    if text.first == "'" {
      text.removeFirst()
      var value = ""
      while let quote = text.firstIndex(of: "'") {
        value += text[..<quote]
        text = text[text.index(after: quote)...]
        guard text.first == "'" else { return .text(value) }
        value += "'"
        text.removeFirst()
      }
      return nil
    }
    let number = text.prefix { $0.isNumber || "+-.eE".contains($0) }
    text.removeFirst(number.count)
    return Int64(number).map(Value.integer) ?? Double(number).map(Value.real)
  }
}

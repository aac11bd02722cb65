import JSON

/// What members of an answer say. Servers and the gateways before them fill members that they do not have with empty
/// values or with their language's word for nothing, and write numbers as text.
extension JSONValue {
  /// The text, unless it stands for none.
  var statedText: String? {
    guard let text = string, !Self.wordsForNothing.contains(text.trimmed.lowercased()) else { return nil }
    return text
  }

  /// The whole number, also one written as text.
  var statedInteger: Int64? { int64 ?? string.flatMap { Int64($0.trimmed) } }

  /// Whether anything is said here at all, at any depth.
  var isStated: Bool {
    switch self {
    case .null, .bool(false): false
    case .bool, .number: true
    case .string: statedText != nil
    case .array(let elements): elements.contains(where: \.isStated)
    case .object(let members): members.contains { $0.value.isStated }
    }
  }

  private static let wordsForNothing: Set<String> = [
    "", "none", "null", "nil", "undefined", "n/a", "(null)", "<nil>", "<null>", "<none>", "-",
  ]
}

extension String {
  /// The text without leading and trailing whitespace.
  var trimmed: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    return String(rest)
  }
}

import AtelierProtocol
import Encodings
import JSON

/// A parameter of a tool. Its schema keeps to what Anthropic, Gemini, OpenAI and Cursor all accept: docs/mcp.md lists the
/// rules.
struct Parameter: Sendable {
  enum Kind: Sendable {
    case text(longest: Int)
    /// What ``PictureReference`` reads.
    case picture
    case choice([String])
    case integer(ClosedRange<Int>)
    case background
    /// What ``SearchArea`` reads of words.
    case area
  }

  var name: String
  var kind = Kind.text(longest: PromptLength.maximum)
  var isRequired = false
  var description: String

  static func schema(of parameters: [Parameter]) -> JSONValue {
    var schema: JSONObject = [
      "type": "object",
      "properties": .object(JSONObject(members: parameters.map { ($0.name, $0.schema) })),
    ]
    let required = parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema["required"] = .array(required) }
    return .object(schema)
  }

  private var schema: JSONValue {
    switch kind {
    case .text, .picture, .background, .area: ["type": "string", "description": .string(description)]
    case .choice(let names):
      ["type": "string", "enum": .array(names.map(JSONValue.string)), "description": .string(description)]
    case .integer(let range):
      [
        "type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound),
        "description": .string(description),
      ]
    }
  }

  private var expected: String {
    switch kind {
    case .text(let longest): "a text of 1 to \(longest) characters"
    case .picture: "a text of 1 to \(PathLength.maximum) characters, or a data: URL"
    case .choice(let names): "one of: " + names.joined(separator: ", ")
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .area: "1 to \(NameLength.maximum) characters: words, or latitude and longitude such as 30.27,-97.74"
    case .background: Background.named.map(\.text).joined(separator: ", ") + ", or a colour such as #1e90ff"
    }
  }

  /// What a client means by a value: models and hosts write texts for numbers, and texts without content for what they
  /// leave out.
  /// - Returns: nil for an argument that is left out.
  func meaning(of value: JSONValue) -> JSONValue? {
    if value.isNull { return nil }
    guard let text = value.string else { return value }
    let word = text.trimmed
    if case .choice(let names) = kind, let name = names.first(where: { $0.lowercased() == word.lowercased() }) {
      return .string(name)
    }
    if word.meansNothing { return nil }
    switch kind {
    case .integer: return Double(word).flatMap(Int.init(exactly:)).map(JSONValue.integer) ?? value
    case .background: return .string(Background(text: word) == nil ? word.lowercased() : word)
    case .text, .picture, .choice, .area: return value
    }
  }

  func accepts(_ value: JSONValue) -> Bool {
    switch kind {
    case .text(let longest): value.string.map { Self.isText($0, longest: longest) } == true
    case .picture:
      value.string.map { DataURL.begins($0.utf8) || Self.isText($0, longest: PathLength.maximum) } == true
    case .choice(let names): value.string.map(names.contains) == true
    case .background: value.string.map { Background(text: $0) != nil } == true
    case .area: value.string.map { SearchArea(words: $0) != nil && !$0.utf8.contains(0) } == true
    case .integer(let range): value.int64.map { Int64(range.lowerBound)...Int64(range.upperBound) ~= $0 } == true
    }
  }

  private static func isText(_ text: String, longest: Int) -> Bool {
    (1...longest).contains(text.unicodeScalars.count) && !text.utf8.contains(0)
  }

  var problem: AtelierError { AtelierError(.wrongRecipeInput, "\(name) must be \(expected).") }
}

extension String {
  /// The text without white space around it.
  var trimmed: String {
    var rest = Substring(self)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  /// Whether it stands for no value: it is blank, or what languages write for nothing.
  var meansNothing: Bool { ["", "null", "undefined", "None"].contains(trimmed) }
}

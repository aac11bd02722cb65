import AtelierProtocol
import JSON

/// A parameter of a tool. Its schema keeps to what Anthropic, Gemini, OpenAI and Cursor all accept: docs/mcp.md lists the
/// rules.
struct Parameter: Sendable {
  enum Kind: Sendable {
    case text(longest: Int)
    case choice([String])
    case integer(ClosedRange<Int>)
    case background
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
    case .text, .background: ["type": "string", "description": .string(description)]
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
    case .choice(let names): "one of: " + names.joined(separator: ", ")
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .background: Background.named.map(\.text).joined(separator: ", ") + ", or a colour such as #1e90ff"
    }
  }

  fileprivate func accepts(_ value: JSONValue) -> Bool {
    switch kind {
    case .text(let longest):
      value.string.map { (1...longest).contains($0.unicodeScalars.count) && !$0.utf8.contains(0) } == true
    case .choice(let names): value.string.map(names.contains) == true
    case .background: value.string.map { Background(text: $0) != nil } == true
    case .integer(let range): value.int64.map { Int64(range.lowerBound)...Int64(range.upperBound) ~= $0 } == true
    }
  }

  fileprivate var problem: AtelierError { AtelierError(.wrongRecipeInput, "\(name) must be \(expected).") }
}

/// The arguments of a tool call, checked. `null` counts as absent.
struct Arguments: Sendable {
  private let values: JSONObject

  /// - Throws: `wrong_recipe_input` with a sentence that names the argument and what it must be.
  init(_ given: JSONObject, for tool: Tool) throws(AtelierError) {
    var values = JSONObject()
    for (name, value) in given where !value.isNull {
      guard let parameter = tool.parameters.first(where: { $0.name == name }) else {
        let known = tool.parameters.isEmpty ? "none" : tool.parameters.map(\.name).joined(separator: ", ")
        throw AtelierError(
          .wrongRecipeInput, "\(tool.name) has no argument \(JSONValue.string(String(name.prefix(80))).serializedText). It takes: \(known).")
      }
      guard parameter.accepts(value) else { throw parameter.problem }
      values[name] = value
    }
    if let missing = tool.parameters.first(where: { $0.isRequired && values[$0.name] == nil }) { throw missing.problem }
    self.values = values
  }

  func text(_ name: String) -> String? { values[name]?.string }
  func integer(_ name: String) -> Int? { values[name]?.int64.map(Int.init) }

  /// The text of a required argument, which is there once the arguments are checked.
  func required(_ name: String) -> String { text(name) ?? "" }

  func generation(_ name: String = "generation") -> GenerationID { GenerationID(rawValue: required(name)) }
}

import JSON

/// What a tool answers.
struct ToolAnswer: Sendable {
  /// For the model, and for people whose host shows it.
  var text: String
  /// Further content: previews and links.
  var content: [JSONValue] = []
  var structured: JSONObject?
  var isError = false

  /// The result of `tools/call`.
  func result(in era: Era) -> JSONObject {
    let shown = era.hasResourceLinks ? content : content.filter { $0["type"] != "resource_link" }
    var result: JSONObject = ["content": .array([["type": "text", "text": .string(text)]] + shown)]
    if let structured { result["structuredContent"] = .object(structured) }
    result["isError"] = .bool(isError)
    return result
  }
}

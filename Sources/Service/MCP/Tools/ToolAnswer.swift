import Encodings
import JSON

/// What a tool answers.
///
/// Its content is one text and previews, and nothing else can be put into it: hosts and agent frameworks that meet a type of
/// content that they do not know lose the whole result, or raise, after the pictures were paid for. `docs/mcp.md` has the
/// table.
struct ToolAnswer: Sendable {
  /// A part of the text.
  enum Part: Sendable, Equatable {
    /// What happened, or what to do next. It also stands in `structuredContent`, which is all that some hosts pass on.
    case said(String)
    /// What the members of `structuredContent` say as well.
    case listed(String)
  }

  /// A small JPEG for the model.
  struct Preview: Sendable, Equatable {
    var bytes: [UInt8]
  }

  var parts: [Part] = []
  var previews: [Preview] = []
  /// The facts in members; nil for an error.
  var structured: JSONObject?
  var isError = false

  init(_ parts: [Part], structured: JSONObject?) { (self.parts, self.structured) = (parts, structured) }

  /// An answer that has nothing to list.
  init(text: String, structured: JSONObject? = nil, isError: Bool = false) {
    self.init([.said(text)], structured: structured)
    self.isError = isError
  }

  /// For the model, and for people whose host shows it.
  var text: String {
    parts.map { part in
      switch part {
      case .said(let text), .listed(let text): text
      }
    }.joined(separator: "\n")
  }

  private var message: String {
    parts.compactMap { part in
      if case .said(let text) = part { text } else { nil }
    }.joined(separator: "\n")
  }

  /// The result of `tools/call`, the same in every era.
  var result: JSONObject {
    var result: JSONObject = [
      "content": .array([["type": "text", "text": .string(text)]] + previews.map(\.json))
    ]
    if var structured {
      if !message.isEmpty { structured[Self.message] = .string(message) }
      result["structuredContent"] = .object(structured)
    }
    result["isError"] = .bool(isError)
    return result
  }

  private static let message = "message"

  /// The schema of a tool's members, with the one that every tool has.
  static func schema(adding members: JSONValue) -> JSONValue {
    guard var schema = members.object, var properties = schema["properties"]?.object else { return members }
    properties[message] = ["type": "string", "description": "What happened, and what to do next."]
    schema["properties"] = .object(properties)
    return .object(schema)
  }
}

extension ToolAnswer.Preview {
  fileprivate var json: JSONValue {
    [
      "type": "image", "data": .string(Base64.encoded(bytes)), "mimeType": "image/jpeg",
      "annotations": ["audience": ["user", "assistant"], "priority": 1],
    ]
  }
}

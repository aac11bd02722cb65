import JSONRPC

/// The content of an answer to a request for content, before it is written as one object or as a stream of them.
struct GeminiReply: Sendable {
  /// Nil for a candidate without content.
  var content: JSONObject?
  /// Nil for no `parts` at all.
  var parts: [JSONValue]?
  var finishReason: String? = FinishReason.stop.rawValue
  var finishMessage: String?
  /// Further candidates, whole.
  var otherCandidates: [JSONValue] = []
  /// Nil for no `candidates` at all, false for an empty list.
  var hasCandidates: Bool? = true
  /// Of the root, beside the candidates.
  var rest: JSONObject

  /// All of it as one object.
  var whole: JSONValue { response(parts: parts, isLast: true) }

  /// The same as the events of a stream: each part by itself, then the end.
  var events: [JSONValue] {
    guard let parts, hasCandidates == true, !parts.isEmpty else { return [whole] }
    let pieces = parts.map { response(parts: [$0], isLast: false) }
    return finishReason == nil ? pieces : pieces + [response(parts: [["text": ""]], isLast: true)]
  }

  private func response(parts: [JSONValue]?, isLast: Bool) -> JSONValue {
    var response = JSONObject()
    switch hasCandidates {
    case true?: response["candidates"] = .array([candidate(parts, isLast: isLast)] + (isLast ? otherCandidates : []))
    case false?: response["candidates"] = []
    case nil: break
    }
    for (key, value) in rest where isLast || key != "promptFeedback" { response[key] = value }
    return .object(response)
  }

  private func candidate(_ parts: [JSONValue]?, isLast: Bool) -> JSONValue {
    var candidate = JSONObject()
    if var content {
      if let parts { content["parts"] = .array(parts) }
      candidate["content"] = .object(content)
    }
    if isLast, let finishReason { candidate["finishReason"] = .string(finishReason) }
    if isLast, let finishMessage { candidate["finishMessage"] = .string(finishMessage) }
    candidate["index"] = 0
    return .object(candidate)
  }
}

import JSON

/// What in an answer without a picture says that the safety rules kept it back, whoever answers.
enum ContentMark {
  /// Deeper than any answer has such a mark.
  private static let greatestDepth = 8
  private static let mostEntries = 64

  static func isIn(_ json: JSONValue, depth: Int = 0) -> Bool {
    guard depth <= greatestDepth else { return false }
    return switch json {
    case .array(let entries): entries.prefix(mostEntries).contains { isIn($0, depth: depth + 1) }
    case .object(let members):
      members.contains { marks($0.key, $0.value) } || members.contains { isIn($0.value, depth: depth + 1) }
    case .null, .bool, .number, .string: false
    }
  }

  private static func marks(_ name: String, _ value: JSONValue) -> Bool {
    switch name {
    // Azure, for each of its categories.
    case "filtered": value.bool == true
    // xAI.
    case "respect_moderation", "respectModeration": value.bool == false
    // Chat completions, Google and Stability.
    case "finish_reason", "finishReason":
      value.statedText.map {
        ["content_filter", "content_filtered"].contains($0.lowercased())
          || GeminiFinishReason($0.uppercased()).kind == .contentBlocked
      } ?? false
    // Google.
    case "blockReason", "raiFilteredReason": value.statedText != nil
    // Models of OpenAI.
    case "refusal": value.statedText != nil
    // Black Forest Labs.
    case "status": ["request moderated", "content moderated"].contains(value.statedText?.lowercased())
    default: false
    }
  }
}

extension OpenAIFailure {
  /// The first of `fields` that the server objects to: the one it names as the parameter at fault or, where it names
  /// none, the one that its sentence says is unknown or not supported.
  /// - Parameter prompt: what was asked for. Servers quote it, and what is quoted is no objection.
  func objection(to fields: [OpenAIField], prompt: String) -> OpenAIField? {
    guard status == 400 || status == 422 else { return nil }
    guard param.isEmpty else { return fields.first { $0.rawValue == param } }
    let words = Self.words(of: message)
    let quoted = Self.words(of: prompt)
    return fields.first { field in
      words.indices.contains { index in
        Self.names(words[index], field) && !Self.mayBeQuoted(index, of: words, from: quoted)
          // A name with a line in it is no word of any language; the others are.
          && (field.rawValue.contains("_") || Self.isRefused(index, of: words))
      }
    }
  }

  /// Names and words in lower case, without the signs between them.
  private static func words(of text: String) -> [Substring] {
    text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }
  }

  private static func names(_ word: Substring, _ field: OpenAIField) -> Bool {
    word == field.rawValue || field == .stream && word == "streaming"
  }

  /// Whether the prompt has this word beside the same neighbour as here, or is nothing but this word.
  private static func mayBeQuoted(_ index: Int, of words: [Substring], from quoted: [Substring]) -> Bool {
    if quoted == [words[index]] { return true }
    return zip(quoted, quoted.dropFirst()).contains { first, second in
      (first == words[index] && index + 1 < words.count && second == words[index + 1])
        || (second == words[index] && index > 0 && first == words[index - 1])
    }
  }

  private static let nouns: Set<Substring> = [
    "parameter", "parameters", "argument", "arguments", "field", "fields", "property", "properties", "key", "keys",
    "option", "options", "input", "inputs",
  ]
  private static let fillers: Set<Substring> = [
    "the", "request", "body", "keyword", "supplied", "provided", "found", "not", "permitted", "allowed", "is", "are",
    "currently", "yet", "here",
  ]
  private static let refusals: Set<Substring> = [
    "unknown", "unrecognized", "unrecognised", "unsupported", "unexpected", "extra", "additional",
  ]
  private static let capabilities: Set<Substring> = [
    "supported", "allowed", "permitted", "accepted", "recognized", "recognised", "known", "implemented", "available",
  ]

  /// Whether the sentence says of the name at `index` that it is not taken: "Unknown parameter: 'seed'", "extra fields
  /// not permitted: seed", "the seed parameter is not supported".
  private static func isRefused(_ index: Int, of words: [Substring]) -> Bool {
    let skipped = words[..<index].reversed().prefix { nouns.contains($0) || fillers.contains($0) }
    let before = words[..<index].dropLast(skipped.count).suffix(2)
    if let word = before.last {
      if refusals.contains(word) || word == "invalid" && skipped.contains(where: nouns.contains) { return true }
      let isDenied = before.count == 2 && ["not", "t", "cannot"].contains(before.first)
      if isDenied, ["support", "accept", "take", "allow"].contains(word) { return true }
    }
    var after = words[(index + 1)...].drop { nouns.contains($0) || ["is", "are", "currently"].contains($0) }
    guard let word = after.popFirst() else { return false }
    if refusals.contains(word) { return true }
    return ["not", "isn", "cannot", "only"].contains(word) && after.prefix(2).contains { capabilities.contains($0) }
  }
}

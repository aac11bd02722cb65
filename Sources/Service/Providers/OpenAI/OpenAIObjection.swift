extension ServerRefusal {
  /// The first of `fields` that the server rejects: the one it names as the parameter at fault or, if it names none,
  /// the one that its message calls unknown or not supported.
  ///
  /// A server may fail over a field that it does not know (5xx) instead of refusing the request. It must then say
  /// of the field, as a field, that it is unknown: anything less may be a failure that came after the work. What stands
  /// in an answer with a success status always came after it. Refusals for another reason, such as a limit, are none of a
  /// field.
  /// - Parameter prompt: the prompt of the request. Servers quote it, and a quoted word is no rejection.
  func objection(to fields: [OpenAIField], prompt: String) -> OpenAIField? {
    let isRefused = (400..<500).contains(status)
    guard !isInAnswer, (400..<600).contains(status), !Self.statusesOfOtherReasons.contains(status) else { return nil }
    let words = Self.words(of: sentences.joined(separator: "\n"))
    let quoted = Self.words(of: prompt)
    func isUnknown(_ field: OpenAIField, isPlain: Bool) -> Bool {
      words.indices.contains { index in
        Self.names(words[index], field) && !Self.mayBeQuoted(index, of: words, from: quoted)
          && (isPlain || isRefused && Self.isRefused(index, of: words) || Self.isUnknown(index, of: words))
      }
    }
    guard param.isEmpty else {
      let field = fields.first { $0.rawValue == param }
      return isRefused || !names.isDisjoint(with: Self.codes)
        ? field : field.flatMap { isUnknown($0, isPlain: false) ? $0 : nil }
    }
    // A name with an underscore is not a word of any language; the other names are.
    return fields.first { isUnknown($0, isPlain: isRefused && $0.rawValue.contains("_")) }
  }

  /// Of the key, of money, of time and of the way to the server.
  private static let statusesOfOtherReasons: Set<Int> = [401, 402, 407, 408, 429, 499, 504, 524, 529]

  /// The codes for a parameter that a server does not know.
  private static let codes: Set<String> = ["unknown_parameter", "unsupported_parameter", "extra_forbidden"]

  /// Names and words in lower case, without punctuation.
  private static func words(of text: String) -> [Substring] {
    text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") }
  }

  private static func names(_ word: Substring, _ field: OpenAIField) -> Bool {
    word == field.rawValue || field == .stream && word == "streaming"
  }

  /// Whether the prompt contains this word next to the same word as here, or consists of this word only.
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
  /// The nouns that mean nothing but a part of a request: a stream has keys and inputs of its own.
  private static let plainNouns = nouns.subtracting(["key", "keys", "input", "inputs"])
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

  /// Whether the message calls the name at `index` a part of the request, and that unknown or not accepted.
  private static func isUnknown(_ index: Int, of words: [Substring]) -> Bool {
    let before = words[..<index].reversed().prefix { nouns.contains($0) || fillers.contains($0) }
    let isNamed = before.contains(where: plainNouns.contains) || words[(index + 1)...].first.map(plainNouns.contains) == true
    // An invalid argument may be any value of it.
    return isNamed && isRefused(index, of: words) && words[..<index].dropLast(before.count).last != "invalid"
  }

  /// Whether the message says that the name at `index` is not accepted: "Unknown parameter: 'seed'", "extra fields
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

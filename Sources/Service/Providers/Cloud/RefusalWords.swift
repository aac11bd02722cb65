/// What the sentence of a refusal tells, for servers that say it in words alone: the last resort, after status, codes
/// and details. The words are English; other languages keep the meaning of the status.
enum RefusalWords {
  /// Whether it says that the account, not the request, is blocked: "Your resource has been temporarily blocked because
  /// …", "Your access was terminated". A warning that it may be blocked says no such thing.
  /// - Parameter orKey: whether the key may be what is blocked.
  static func sayAccountIsBlocked(_ sentence: String, orKey: Bool = true) -> Bool {
    let subjects = orKey ? accounts.union(keys) : accounts
    let clauses = sentence.replacing(": ", with: "\n").split { ".!?;\n".contains($0) }
    return clauses.map { words(of: $0) }.contains { words in
      words.indices.contains { index in
        guard blocked.contains(words[index]) else { return false }
        let before = words[..<index].suffix(6)
        return !before.isDisjoint(with: subjects) && !before.isDisjoint(with: happened)
          && before.isDisjoint(with: possible) && before.isDisjoint(with: others)
      }
    }
  }

  /// Whether it speaks of the account at all.
  static func mentionAccount(_ sentence: String) -> Bool { !words(of: sentence).isDisjoint(with: accounts.union(keys)) }

  /// Whether it says that the project of the key does not use the API, as Google puts it.
  static func sayAPIIsDisabled(_ sentence: String) -> Bool {
    ["api has not been used in project", "api has not been enabled", "api is not enabled", "api is disabled"]
      .contains(where: sentence.lowercased().contains)
  }

  /// Whether it says that the safety rules refuse what was asked for.
  static func sayContentIsBlocked(_ sentence: String) -> Bool {
    ["safety system", "content policy", "content_policy", "contentpolicyviolation", "content management policy"]
      .contains(where: sentence.lowercased().contains)
  }

  private static let blocked: Set<Substring> = [
    "blocked", "suspended", "terminated", "deactivated", "disabled", "banned", "restricted", "revoked",
  ]
  private static let accounts: Set<Substring> = [
    "account", "accounts", "organization", "organisation", "resource", "subscription", "project", "workspace", "tenant",
    "user", "consumer",
  ]
  private static let keys: Set<Substring> = ["key", "keys"]
  private static let happened: Set<Substring> = ["has", "have", "was", "were", "is", "are", "been"]
  private static let possible: Set<Substring> = ["may", "might", "can", "could", "will", "would", "being", "if", "be"]
  /// Other things that may be blocked. What "it" stands for is not known.
  private static let others: Set<Substring> = [
    "model", "models", "parameter", "prompt", "prompts", "request", "requests", "requested", "content", "image", "images",
    "picture", "pictures", "photo", "photos", "input", "feature", "features", "api", "apis", "service", "services",
    "endpoint", "method", "billing", "address", "country", "region", "location", "network", "authentication", "auth", "it",
  ]
  /// Names of two words, one of which alone means another thing.
  private static let names = ["api key", "api_key", "api-key", "service account", "your access"]

  private static func words(of text: some StringProtocol) -> [Substring] {
    let text = names.reduce(text.lowercased()) { $0.replacing($1, with: $1.hasSuffix("key") ? "key" : "account") }
    return text.split { !($0.isLetter || $0.isNumber) }
  }
}

// MARK: Limits

extension RefusalWords {
  /// Whether it states a limit of 0: the plan has none of this. As opposed to 0.5, 05, "0/50" and "0 tokens left".
  static func sayLimitIsZero(_ sentence: String) -> Bool {
    let sentence = sentence.lowercased()
    return sentence.ranges(of: "limit").contains { range in
      let before = sentence[..<range.lowerBound].split { !$0.isLetter }.last
      guard before.map(rests.contains) != true else { return false }
      let rest = sentence[range.upperBound...].drop { $0.isWhitespace || ":=\"'".contains($0) }
      let number = rest.prefix { $0.isNumber || $0 == "." || $0 == "," }
      let digits = number.filter(\.isNumber)
      guard rest.startIndex > range.upperBound, digits.first == "0", digits.allSatisfy({ $0 == "0" }),
        number.dropFirst().first?.isNumber != true
      else { return false }
      let isOfSentence = number.last.map(".,".contains) == true
      return isOfSentence || !continuesAsRest(sentence[number.endIndex...])
    }
  }

  /// Whether what follows a number makes it a part of a limit that is not 0: "/50", " of 50", " tokens left".
  private static func continuesAsRest(_ text: Substring) -> Bool {
    if text.first == "/", text.dropFirst().first?.isNumber == true { return true }
    let words = text.prefix { !".,:;()\n".contains($0) }.split { !($0.isLetter || $0.isNumber) }.prefix(4)
    return words.contains(where: rests.contains)
      || zip(words, words.dropFirst()).contains { $0 == "of" && $1.first?.isNumber == true }
  }

  /// What is left of a limit, or when it starts anew.
  private static let rests: Set<Substring> = ["remaining", "remain", "remains", "left", "available", "reset"]

  /// Whether it speaks of a limit for each day, and of none for a shorter time, which may be the one that is reached.
  static func sayLimitIsOfADay(_ sentence: String) -> Bool {
    let sentence = sentence.lowercased().replacing("-", with: " ")
    return days.contains(where: sentence.contains) && !shorterTimes.contains(where: sentence.contains)
  }

  private static let days = [
    "per day", "(rpd)", "(ipd)", "(tpd)", "perday", "/day", "/ day", "daily limit", "daily quota", "per 24 hours",
  ]
  private static let shorterTimes = [
    "per hour", "per min", "per sec", "perhour", "permin", "persec", "/hour", "/ hour", "/min", "/ min", "/sec", "/ sec",
    "hourly", "(rph)", "(rpm)", "(ipm)", "(tpm)", "(rps)", "(tps)",
  ]
}

extension Sequence<Substring> {
  fileprivate func isDisjoint(with words: Set<Substring>) -> Bool { !contains(where: words.contains) }
}

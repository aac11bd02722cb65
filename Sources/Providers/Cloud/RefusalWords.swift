/// What the sentence of a refusal tells, for servers that say it in words alone: the last resort, after status, codes
/// and details. The words are English; other languages keep the meaning of the status.
enum RefusalWords {
  /// Whether it says that the account, not the request, is blocked: "Your resource has been temporarily blocked because
  /// …", "Your access was terminated". A warning that it may be blocked says no such thing.
  static func sayAccountIsBlocked(_ sentence: String) -> Bool {
    let words = words(of: sentence)
    return words.indices.contains { index in
      guard blocked.contains(words[index]) else { return false }
      let before = words[..<index].suffix(6)
      return !before.isDisjoint(with: accounts) && !before.isDisjoint(with: happened)
        && before.isDisjoint(with: possible) && before.isDisjoint(with: others)
    }
  }

  /// Whether it speaks of the account at all.
  static func mentionAccount(_ sentence: String) -> Bool { !words(of: sentence).isDisjoint(with: accounts) }

  /// Whether it says that the safety rules refuse what was asked for.
  static func sayContentIsBlocked(_ sentence: String) -> Bool {
    ["safety system", "content policy", "content_policy", "contentpolicyviolation", "content management policy"]
      .contains(where: sentence.lowercased().contains)
  }

  /// Whether it states a limit of 0: the plan has none of this. As opposed to 0.5, 05, "0/50" and "0 remaining".
  static func sayLimitIsZero(_ sentence: String) -> Bool {
    let sentence = sentence.lowercased()
    return sentence.ranges(of: "limit").contains { range in
      guard !["remaining ", "reset "].contains(where: sentence[..<range.lowerBound].hasSuffix) else { return false }
      let rest = sentence[range.upperBound...].drop { $0.isWhitespace || ":=\"'".contains($0) }
      let number = rest.prefix { $0.isNumber || $0 == "." || $0 == "," }
      let digits = number.filter(\.isNumber)
      guard rest.startIndex > range.upperBound, digits.first == "0", digits.allSatisfy({ $0 == "0" }),
        number.dropFirst().first?.isNumber != true
      else { return false }
      let after = rest[number.endIndex...]
      return !(after.first == "/" && after.dropFirst().first?.isNumber == true)
        && !["remaining", "left"].contains(where: after.drop(while: \.isWhitespace).hasPrefix)
    }
  }

  /// Whether it speaks of a limit for each day.
  static func sayLimitIsOfADay(_ sentence: String) -> Bool {
    ["per day", "(rpd)", "(ipd)", "(tpd)", "perday", "daily limit", "daily quota"]
      .contains(where: sentence.lowercased().contains)
  }

  private static let blocked: Set<Substring> = [
    "blocked", "suspended", "terminated", "deactivated", "disabled", "banned", "restricted", "revoked",
  ]
  private static let accounts: Set<Substring> = [
    "account", "accounts", "organization", "organisation", "resource", "subscription", "access", "project", "workspace",
    "tenant", "user", "consumer", "key",
  ]
  private static let happened: Set<Substring> = ["has", "have", "was", "were", "is", "are", "been"]
  private static let possible: Set<Substring> = ["may", "might", "can", "could", "will", "would", "being", "if", "be"]
  /// Other things that may be blocked.
  private static let others: Set<Substring> = [
    "model", "models", "parameter", "prompt", "request", "content", "image", "picture", "photo", "feature",
  ]

  private static func words(of text: String) -> [Substring] {
    text.lowercased().split { !($0.isLetter || $0.isNumber) }
  }
}

extension Sequence<Substring> {
  fileprivate func isDisjoint(with words: Set<Substring>) -> Bool { !contains(where: words.contains) }
}

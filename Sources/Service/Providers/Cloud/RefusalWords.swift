/// What the sentence of a refusal tells, for servers that say it in words alone: the last resort, after status, codes
/// and details. The words are English; other languages keep the meaning of the status, except for money (``MoneyWords``).
enum RefusalWords {
  /// Whether it says that the account, not the request, is blocked: "Your resource has been temporarily blocked because
  /// …", "Your access was terminated". A warning that it may be blocked says no such thing.
  /// - Parameter orKey: whether the key may be what is blocked.
  static func sayAccountIsBlocked(_ sentence: String, orKey: Bool = true) -> Bool {
    let subjects = orKey ? accounts.union(keys) : accounts
    if lockedAccounts.contains(where: sentence.lowercased().contains) { return true }
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

  /// Whether it says that the project of the key has no billing account, as Google puts it.
  static func sayBillingIsOff(_ sentence: String) -> Bool {
    let sentence = sentence.lowercased()
    return ["billing account", "billing to be enabled", "billing is not enabled", "billing is disabled", "enable billing"]
      .contains(where: sentence.contains)
  }

  /// Whether it says that the safety rules refuse what was asked for.
  /// - Parameter prompt: the words that were sent, which servers quote.
  static func sayContentIsBlocked(_ sentence: String, quoting prompt: String) -> Bool {
    // Only what is quoted in full is left out: a prompt that is refused often has the words of the rule itself.
    let own = sentence.lowercased().replacing(prompt.lowercased(), with: "")
    return contentWords.contains(where: own.contains)
  }

  /// Whether it says that the safety rules have refused something, where the status speaks of a failure.
  static func sayContentIsRejected(_ sentence: String, quoting prompt: String) -> Bool {
    sayContentIsBlocked(sentence, quoting: prompt) && rejections.contains(where: sentence.lowercased().contains)
  }

  private static let contentWords = [
    "safety system", "content policy", "content_policy", "contentpolicyviolation", "content management policy",
    "content moderation", "content filter", "content checker", "moderation system", "request moderated",
    "content moderated", "usage guidelines", "nsfw", "sensitive content", "sensitive information", "sensitive words",
    "flagged as sensitive", "inappropriate content", "unsafe content", "敏感", "不安全", "违规内容",
  ]
  private static let rejections = [
    "reject", "block", "flag", "detect", "violat", "contain ", "contains", "contained", "containing", "refus", "denied",
    "filtered", "moderated", "检测", "拒绝", "包含",
  ]

  /// Whether it says that the key is not accepted, as gateways put it that have no status for that.
  /// - Parameter prompt: the words that were sent, which servers quote.
  static func sayKeyIsRefused(_ sentence: String, quoting prompt: String) -> Bool {
    say(
      [
        "incorrect api key", "invalid api key", "invalid_api_key", "api key not valid", "api key is not valid",
        "api key is invalid", "api key expired", "api key has expired", "api key is expired", "expired key",
        "key has expired", "authenticationerror", "authentication error", "invalid proxy server token",
        "invalid x-api-key", "login fail",
        "无效的令牌", "令牌已过期", "令牌状态不可用",
      ], in: sentence, quoting: prompt)
  }

  /// Whether it says that there is no such model, or none for this key.
  static func sayModelIsUnknown(_ sentence: String, quoting prompt: String) -> Bool {
    let isMissing = say(["does not exist", "not exist"], in: sentence, quoting: prompt)
    return isMissing && say(["model", "deployment"], in: sentence, quoting: "")
      || say(
        [
          "invalid model name", "not a valid model", "unknown model", "no such model", "not allowed to access model",
          "no endpoints found", "no available channel for model", "has not activated the model", "无可用渠道", "無可用渠道",
          "无权访问模型", "無權訪問模型", "模型不存在",
        ], in: sentence, quoting: prompt)
  }

  /// Whether it says that the calls of a longer time are used up, as gateways put it that count them.
  static func sayCallsAreUsedUp(_ sentence: String) -> Bool {
    ["call volume quota", "quota will be replenished", "quota will be renewed"]
      .contains(where: sentence.lowercased().contains)
  }

  /// Whether it says one of `phrases`, which the prompt does not.
  private static func say(_ phrases: [String], in sentence: String, quoting prompt: String) -> Bool {
    let (sentence, prompt) = (sentence.lowercased(), prompt.lowercased())
    return phrases.contains { sentence.contains($0) && !prompt.contains($0) }
  }

  private static let blocked: Set<Substring> = [
    "blocked", "suspended", "terminated", "deactivated", "disabled", "banned", "restricted", "revoked",
  ]
  /// Other things are locked for a moment while somebody else uses them.
  private static let lockedAccounts = [
    "user is locked", "account is locked", "account has been locked", "account was locked",
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

// MARK: Exchanges behind a gateway

extension RefusalWords {
  /// How an exchange between a gateway and the server behind it ended, if that is what failed. The request had been handed
  /// over by then, and the work for it may have been done.
  enum LostExchange {
    case brokeOff
    case timedOut
  }

  /// How the exchange with the server behind a gateway ended; nil for sentences about something else, and for those that
  /// say that the server was never reached or does not take requests.
  static func lostExchange(in sentence: String) -> LostExchange? {
    let sentence = sentence.lowercased()
    if neverHandedOver.contains(where: sentence.contains) { return nil }
    if timesOut.contains(where: sentence.contains) { return .timedOut }
    return breaks.contains(where: sentence.contains) ? .brokeOff : nil
  }

  private static let neverHandedOver = [
    "no healthy upstream", "connection failure", "connection refused", "econnrefused", "connect error: ", "reason: overflow",
    "overload", "high demand", "at capacity", "too busy", "is busy", "server busy", "connect timeout", "connection timeout",
    "connection timed out", "connect timed out", "timed out connecting", "failed to connect", "could not connect",
    "couldn't connect", "cannot connect", "unable to connect", "name resolution", "getaddrinfo", "no such host", "enotfound",
    "in the queue", "in queue", "queue is full", "queue timeout",
  ]
  private static let timesOut = [
    "timed out", "timing out", "timeout", "time-out", "deadline exceeded", "deadline_exceeded", "etimedout", "took too long",
  ]
  private static let breaks = [
    "connection termination", "connection_termination", "remote reset", "remote_reset", "reset before headers",
    "reset before response", "reset_before_response", "local reset", "protocol error", "upstream closed",
    "upstream prematurely closed", "prematurely closed", "closed prematurely", "premature close", "connection reset",
    "reset by peer", "econnreset", "connection was reset", "connection closed", "connection was closed",
    "connection is closed", "closed connection", "closed the connection", "other side closed", "peer closed",
    "broken pipe", "unexpected eof", "unexpected end of", "server disconnected", "socket hang up", "stream error",
    "stream closed", "stream disconnected", "stream terminated", "incompleteread", "incomplete read", "chunked read",
    "response ended", "connection lost", "connection aborted", "context canceled", "context cancelled", "while reading",
  ]
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

  /// Whether it speaks of a limit for a day or for a shorter time.
  static func sayLimitIsOfTime(_ sentence: String) -> Bool {
    let sentence = sentence.lowercased().replacing("-", with: " ")
    return days.contains(where: sentence.contains) || shorterTimes.contains(where: sentence.contains)
  }

  private static let days = [
    "per day", "(rpd)", "(ipd)", "(tpd)", "perday", "/day", "/ day", "daily limit", "daily quota", "daily free",
    "per 24 hours",
    "今日额度", "今日額度", "每日额度", "每日額度", "当日额度", "当天额度", "今日配额", "每日配额", "今日次数", "每日次数",
  ]
  private static let shorterTimes = [
    "per hour", "per 1 hour", "per min", "per 1 min", "per sec", "perhour", "permin", "persec",
    "/hour", "/ hour", "/min", "/ min", "/sec", "/ sec",
    "hourly", "(rph)", "(rpm)", "(ipm)", "(tpm)", "(rps)", "(tps)",
  ]
}

// MARK: The request

extension RefusalWords {
  /// Whether it complains of a value of the request, as servers and gateways do that fail instead of refusing.
  static func sayRequestIsInvalid(_ sentence: String) -> Bool {
    let sentence = sentence.lowercased()
    return saySizeIsInvalid(sentence) || sayBodyIsTooLarge(sentence)
      || [
        "invalid parameter", "invalid value", "invalid_value", "invalid argument", "invalid request", "invalid_request",
        "invalid image size", "unsupported value", "unsupported parameter", "unknown parameter", "badrequesterror",
        "bad_request_error", "validation error",
      ].contains(where: sentence.contains)
  }

  /// Whether it complains of the length of the request as a whole.
  static func sayBodyIsTooLarge(_ sentence: String) -> Bool {
    [
      "body too large", "body is too large", "body size exceed", "payload too large", "payload is too large",
      "payload size exceed", "request too large", "request is too large", "request entity too large", "request size exceed",
      "maximum request size", "file is too large", "file too large", "file size exceed", "content too large",
    ].contains(where: sentence.lowercased().contains)
  }

  /// Whether it says that the model has no such feature.
  static func sayFeatureIsUnknown(_ sentence: String) -> Bool {
    let sentence = sentence.lowercased()
    let isMissing = ["not support", "unsupported", "not enabled", "not available"].contains(where: sentence.contains)
    return isMissing && ["modalit", "aspect ratio", "image generation"].contains(where: sentence.contains)
  }

  /// Whether it says that a part of the request is not known at all.
  static func sayPartIsUnknown(_ sentence: String) -> Bool {
    ["unknown name", "cannot find field", "unknown parameter", "unrecognized request argument"]
      .contains(where: sentence.lowercased().contains)
  }

  /// Whether it complains of the size of the picture that was asked for, not of that of a file.
  /// - Parameter orSides: whether width and height can only be those of that picture.
  static func saySizeIsInvalid(_ sentence: String, orSides: Bool = false) -> Bool {
    let words = sentence.lowercased().split { !($0.isLetter || $0.isNumber) }
    return words.indices.contains { index in
      let isOfPicture = sizes.contains(words[index]) || orSides && sides.contains(words[index])
      guard isOfPicture, index == 0 || !wholes.contains(words[index - 1]) else { return false }
      let around = words[max(0, index - 4)..<min(words.count, index + 8)]
      return !around.isDisjoint(with: invalid)
        || zip(around, around.dropFirst()).contains { pair in
          ["not", "t"].contains(pair.0) && accepted.contains(pair.1) || pair == ("must", "be") || pair == ("one", "of")
        }
    }
  }

  private static let accepted: Set<Substring> = ["supported", "support", "allowed", "valid", "available", "accepted"]
  private static let sizes: Set<Substring> = ["size", "sizes"]
  private static let sides: Set<Substring> = ["resolution", "dimensions", "width", "height"]
  private static let wholes: Set<Substring> = [
    "file", "files", "payload", "body", "request", "batch", "upload", "context", "pool",
  ]
  private static let invalid: Set<Substring> = ["invalid", "unsupported", "unrecognized", "illegal"]
}

extension Sequence<Substring> {
  fileprivate func isDisjoint(with words: Set<Substring>) -> Bool { !contains(where: words.contains) }
}

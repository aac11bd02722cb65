/// What words say about money, in the sentences and codes of any server.
///
/// A sentence says it where a word for money stands near a word for its lack, in one clause: "insufficient balance",
/// "your prepaid credits are depleted", "余额不足". A clause about a rate speaks of time instead, and one with a condition of
/// what may happen.
struct MoneyWords {
  /// Every three words of the prompt in a row; the whole of a shorter one.
  private let quoted: Set<[Substring]>

  /// - Parameter prompt: the words that were sent; what is quoted of them is not looked at.
  init(quoted prompt: String) {
    let words = Self.words(of: prompt.prefix(20_000))
    quoted =
      switch words.count {
      // A single word is in too many sentences to be a quotation.
      case 0, 1: []
      case 2: [words]
      default: Set(words.indices.dropLast(2).map { Array(words[$0..<$0 + 3]) })
      }
  }

  /// - Returns: nil for a sentence that says nothing about money.
  func meaning(of sentence: String) -> MoneyRefusal? {
    let clauses = Self.clauses(of: sentence)
    for clause in clauses {
      let words = unquoted(Self.words(of: clause))
      if Self.codes.contains(words.joined(separator: " ")) { return .withoutCredit }
      if let meaning = Self.meaning(of: words) { return meaning }
      if Self.sayMoneyIsMissingWithoutSpaces(clause) { return .withoutCredit }
    }
    return nil
  }

  /// What a code says: `insufficient_user_quota`, `AccountOverdueError`, `BUDGET_EXCEEDED`.
  static func meaning(ofCode code: String) -> MoneyRefusal? {
    let words = words(of: code)
    if codes.contains(words.joined(separator: " ")) { return .withoutCredit }
    if limitCodes.contains(words.joined(separator: " ")) { return .spendingLimit }
    return meaning(of: words)
  }

  /// Whether it asks to look at the bill, in a sentence that some servers also use for a limit that time restores.
  static func sayBillIsToBeChecked(_ sentence: String) -> Bool {
    let sentence = sentence.lowercased()
    guard sentence.contains("billing"), !RefusalWords.sayLimitIsOfTime(sentence) else { return false }
    return ["exceeded your current quota", "exceeded current quota", "account is not active"]
      .contains(where: sentence.contains)
  }

  private func unquoted(_ words: [Substring]) -> [Substring] {
    let length = quoted.first?.count ?? 0
    guard length > 0, words.count >= length else { return words }
    var hidden: Set<Int> = []
    for start in 0...(words.count - length) where quoted.contains(Array(words[start..<start + length])) {
      hidden.formUnion(start..<start + length)
    }
    return words.indices.filter { !hidden.contains($0) }.map { words[$0] }
  }
}

// MARK: Languages with spaces

extension MoneyWords {
  /// Codes that name no lack.
  private static let codes: Set<String> = [
    "credit limit", "exceeded current quota error", "exceeded current quota", "billing not active",
    "pay as you go required", "free tier only", "allocation quota free tier only", "top up",
  ]

  private static let limitCodes: Set<String> = ["set limit exceeded"]

  private static func meaning(of words: [Substring]) -> MoneyRefusal? {
    let text = " \(words.joined(separator: " ")) "
    func says(_ phrases: [String]) -> Bool { phrases.contains { text.contains(" \($0) ") } }
    if words.contains(where: rates.contains) { return nil }
    let sums = words.indices.filter { isMoney($0, of: words) }
    let caps = words.indices.filter { Self.caps.contains(words[$0]) && !isOther($0, of: words) }
    let lacks = Self.lacks(in: words, of: lackWords, lackPhrases)
    let ends = lacks + Self.lacks(in: words, of: capWords, capPhrases)
    guard !isConditional(words, from: (sums + caps + ends).min() ?? words.count) else { return nil }
    if isNear(caps, ends) || says(limitPhrases) { return .spendingLimit }
    if isNear(sums, lacks) || says(phrases) { return .withoutCredit }
    let payments = words.indices.filter { Self.payments.contains(words[$0]) }
    let unpaid = Self.lacks(in: words, of: unpaidWords, [["past", "due"], ["to", "pay"]])
    return isNear(payments, unpaid, within: 4) ? .withoutCredit : nil
  }

  private static let money: Set<Substring> = [
    "balance", "balances", "credit", "credits", "fund", "funds", "prepayment", "wallet", "deposit", "money", "quota",
    "saldo", "saldos", "solde", "guthaben", "credito", "creditos", "crédito", "créditos", "crédit", "crédits",
    "crediti", "kredit", "kredite", "bakiye", "fondos", "fonds", "баланс", "баланса", "балансе", "средств", "кредитов",
    "dư", "środków",
  ]
  private static let caps: Set<Substring> = [
    "spend", "spending", "budget", "expenditure", "overage", "allowance", "cap", "cost",
  ]
  private static let payments: Set<Substring> = ["payment", "payments", "invoice", "invoices", "bill", "bills"]
  /// Words before which make another thing of them: "white balance", "thinking budget".
  private static let others: Set<Substring> = [
    "white", "color", "colour", "tonal", "load", "thinking", "reasoning", "token", "tokens", "time", "latency",
    "retry", "error", "context", "memory", "step", "pixel", "prompt", "image", "photo", "picture", "movie", "film",
    "layout",
  ]
  /// Words behind which make another thing of them: "credit card", "balance sheet".
  private static let followers: Set<Substring> = ["card", "cards", "sheet", "beam", "bike", "roll", "line"]

  private static let lackWords: Set<Substring> = [
    "insufficient", "depleted", "exhausted", "exceeded", "exceeds", "overdrawn", "empty", "lack", "lacks", "lacking",
    "expired", "overdue", "unpaid", "insuficiente", "insuficientes", "insuffisant", "insuffisants", "insufficiente",
    "insufficienti", "agotado", "agotados", "esgotado", "esgotados", "épuisé", "épuisés", "esaurito", "esauriti",
    "aufgebraucht", "erschöpft", "yetersiz", "недостаточно", "исчерпан", "исчерпано", "niewystarczające",
    "unzureichend", "unzureichendes",
  ]
  private static let lackPhrases: [[Substring]] = [
    ["not", "enough"], ["not", "have", "enough"], ["t", "have", "enough"],
    ["not", "have", "any"], ["t", "have", "any"], ["not", "have", "sufficient"],
    ["not", "sufficient"], ["used", "up"], ["used", "all"], ["run", "out"], ["ran", "out"], ["out", "of"],
    ["requires", "more"], ["require", "more"], ["needs", "more"], ["no", "more"], ["nicht", "ausreichend"],
    ["nicht", "genug"], ["reicht", "nicht"], ["không", "đủ"], ["not", "cover"], ["t", "cover"], ["limit", "reached"],
    ["too", "low"], ["is", "low"], ["balance", "low"], ["is", "negative"], ["negative", "balance"],
    ["reached", "zero"], ["consumed", "all"], ["sin", "saldo"], ["sin", "fondos"], ["sin", "crédito"],
    ["sin", "créditos"], ["kein", "guthaben"], ["plus", "de", "crédits"],
  ]
  private static let capWords: Set<Substring> = [
    "reached", "reaching", "hit", "hits", "over", "crossed", "surpassed", "exceeding", "exceed",
  ]
  private static let capPhrases: [[Substring]] = [["maxed", "out"]]
  private static let unpaidWords: Set<Substring> = [
    "overdue", "unpaid", "arrears", "arrearage", "outstanding", "delinquent", "required", "declined", "failed",
    "missing",
  ]
  /// What says it without a lack beside it.
  private static let phrases = [
    "arrearage", "in arrears", "only afford", "more credits are required", "please recharge", "please top up",
    "top up your balance", "top up your account", "top up and try", "in good standing", "account overdue",
    "overdue account", "no balance", "no funds", "no money", "no credits left", "no credits remaining",
    "no remaining credits", "no credits available", "zero balance", "0 credits remaining", "0 credits left",
    "free tier of the model has been exhausted", "free quota has been used up", "free quota exhausted",
    "free trial has ended", "free trial has expired", "billed users", "lack of payment", "card on file",
    "payment method on file", "subscription has expired", "subscription expired", "subscription has lapsed",
    "reached your credit limit", "hit your credit limit", "credit limit has been reached",
  ]
  private static let limitPhrases = [
    "billing hard limit", "hard limit has been reached", "key limit exceeded", "key limit reached",
    "credit limit exceeded", "credit limit reached", "billing limit reached", "billing limit exceeded",
    "billing limit has been reached",
  ]
  /// Words of limits that time restores within the hour.
  private static let rates: Set<Substring> = [
    "rate", "rates", "rpm", "tpm", "ipm", "rps", "throttled", "throttling", "throttle", "concurrency", "concurrent",
    "minute", "minutes", "second", "seconds", "hour", "hours", "hourly",
  ]
  private static let conditions: Set<Substring> = [
    "if", "when", "once", "unless", "may", "might", "until", "avoid", "before", "without",
  ]

  private static func isMoney(_ index: Int, of words: [Substring]) -> Bool {
    guard money.contains(words[index]) else { return false }
    guard words[index] == "quota" else { return !isOther(index, of: words) }
    // A quota is often one of requests: of money only where it is insufficient, as gateways put it.
    let around = words[max(0, index - 5)..<min(words.count, index + 5)]
    return around.contains("insufficient") || around.joined(separator: " ").contains("not enough")
  }

  private static func isOther(_ index: Int, of words: [Substring]) -> Bool {
    index > 0 && others.contains(words[index - 1]) || index + 1 < words.count && followers.contains(words[index + 1])
  }

  private static func isConditional(_ words: [Substring], from first: Int) -> Bool {
    words[..<min(first, words.count)].contains(where: conditions.contains)
  }

  /// The places of a lack.
  private static func lacks(in words: [Substring], of single: Set<Substring>, _ phrases: [[Substring]]) -> [Int] {
    words.indices.filter { index in
      single.contains(words[index]) || phrases.contains { words[index...].starts(with: $0) }
    }
  }

  private static func isNear(_ places: [Int], _ others: [Int], within distance: Int = 6) -> Bool {
    places.contains { place in others.contains { $0 != place && abs($0 - place) <= distance } }
  }
}

// MARK: Splitting, and languages without spaces

extension MoneyWords {
  /// The clauses of a text, without addresses, whose parts say nothing.
  private static func clauses(of text: String) -> [Substring] {
    let words = text.split(separator: " ").filter { !$0.contains("://") }
    let text = [": ", " - ", ", ", ". "].reduce(words.joined(separator: " ")) { $0.replacing($1, with: "\n") }
    return text.split { "!?;\n。，！？；：、".contains($0) }
  }

  /// Words in lower case, those that are written together apart: `insufficient_quota`, `InsufficientBalance`.
  private static func words(of text: some StringProtocol) -> [Substring] {
    var apart = ""
    var wasLower = false
    for character in text {
      if character.isUppercase, wasLower { apart.append(" ") }
      wasLower = character.isLowercase
      apart.append(character)
    }
    return apart.lowercased().split { !($0.isLetter || $0.isNumber) }
  }

  private static func sayMoneyIsMissingWithoutSpaces(_ clause: Substring) -> Bool {
    if times.contains(where: clause.contains) { return false }
    if signs.contains(where: clause.contains) { return true }
    return accounts.contains { clause.contains($0) } && missing.contains { clause.contains($0) }
  }

  private static let times = ["每分", "每秒", "分钟", "分鐘", "速率", "频率", "頻率", "并发", "並發", "今日", "每日", "每天", "当天", "當天"]
  private static let signs = [
    "欠费", "欠費", "请充值", "請充值", "请先充值", "充值后", "請儲值", "预扣费额度失败", "預扣費額度失敗", "未充值", "付费后", "残高不足", "잔액부족",
  ]
  private static let accounts = [
    "余额", "餘額", "额度", "額度", "配额", "配額", "资源包", "資源包", "点数", "點數", "积分", "積分", "残高", "クレジット", "予算", "预算", "預算", "잔액",
    "크레딧", "शेष राशि", "क्रेडिट",
  ]
  private static let missing = [
    "不足", "用尽", "用盡", "用完", "耗尽", "耗盡", "不够", "不夠", "为0", "為0", "为零", "為零", "无可用", "無可用", "没有", "沒有", "已超", "足りません",
    "切れ", "なくなり", "使い切", "超過", "부족", "소진", "없습니다", "초과", "अपर्याप्त", "समाप्त", "खत्म",
  ]
}

import Credentials

/// Finds what must be hidden in a single word of a provider's message.
enum SecretWord {
  /// Whether the word after this one is a secret: `Bearer …`, `x-goog-api-key: …`.
  static func introducesSecret(_ word: String) -> Bool {
    let word = word.lowercased().trimming(punctuation)
    if word == "bearer" || word == "basic" { return true }
    guard word.hasSuffix(":") || word.hasSuffix("=") else { return false }
    let name = word.dropLast().trimming(punctuation)
    return secretNames.contains { name.hasSuffix($0) }
  }

  /// The word without anything that looks like a key, a URL query, a file system path, or data.
  static func hiding(in word: String) -> String {
    var word = withoutQuery(word)
    word = withoutValue(word)
    if let start = pathStart(in: word) { word = word[..<start] + "…" }
    return withoutTokens(word)
  }

  private static let punctuation: Set<Character> = ["\"", "'", "`", ",", ";", "(", ")", "[", "]", "{", "}", "<", ">"]
  private static let secretNames = [
    "key", "token", "secret", "password", "passwd", "authorization", "signature", "credential", "cookie",
  ]

  /// A URL keeps its host and path: `https://user:word@host/path?key=…` becomes `https://host/path`.
  private static func withoutQuery(_ word: String) -> String {
    guard let scheme = word.firstRange(of: "://") else { return word }
    if word[..<scheme.lowerBound].lowercased().hasSuffix("file") || word[..<scheme.lowerBound].hasSuffix("data") {
      return "…"
    }
    let rest = word[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
    let authority = rest.prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return "\(word[..<scheme.upperBound])\(host)\(rest[authority.endIndex...])"
  }

  /// `api_key=abc` becomes `api_key=…`.
  private static func withoutValue(_ word: String) -> String {
    for (index, character) in zip(word.indices, word) where character == "=" || character == ":" {
      let name = word[..<index].lowercased().trimming(punctuation)
      let hasValue = !word[word.index(after: index)...].trimming(punctuation).isEmpty
      if hasValue, secretNames.contains(where: { name.hasSuffix($0) }) { return word[...index] + "…" }
    }
    if word.lowercased().contains(";base64,") { return "…" }
    return word
  }

  /// Where a file system path begins: `/home/…`, `~/…`, `C:\…`.
  private static func pathStart(in word: String) -> String.Index? {
    var before: Character?
    for (index, character) in zip(word.indices, word) {
      let rest = word[index...]
      let isBeginning = before.map { punctuation.contains($0) || $0 == "=" || $0 == ":" } ?? true
      if isBeginning, rest.hasPrefix("~/") || rest.hasPrefix("\\\\") { return index }
      if isBeginning, character == "/", !rest.hasPrefix("//"), rest.dropFirst().contains("/") { return index }
      if rest.hasPrefix(":\\"), before?.isLetter == true { return word.index(before: index) }
      before = character
    }
    return nil
  }

  /// Hides runs of letters and digits that are keys, judging by their prefix, or data, judging by their form.
  private static func withoutTokens(_ word: String) -> String {
    var shown = ""
    var run = ""
    func flush() {
      shown += looksSecret(run) ? "…" : run
      run = ""
    }
    for character in word {
      if isOfToken(character) { run.append(character) } else {
        flush()
        shown.append(character)
      }
    }
    flush()
    return shown
  }

  private static func isOfToken(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber) || "+/_-=*.".contains(character)
  }

  private static let keyBeginnings = ["AIza", "AQ.", "ya29.", "sk-", "sk_", "pk-", "rk-", "sess-", "eyJ", "ghp_"]

  private static func looksSecret(_ run: String) -> Bool {
    if run.utf8.count >= 10, keyBeginnings.contains(where: { run.contains($0) && run.beginsToken($0) }) { return true }
    return run.split(separator: ".").contains { part in
      guard part.utf8.count >= 32 else { return false }
      let hasDigit = part.contains(where: \.isNumber)
      let isHexadecimal = hasDigit && part.allSatisfy(\.isHexDigit)
      return isHexadecimal || (hasDigit && part.contains(where: \.isUppercase) && part.contains(where: \.isLowercase))
    }
  }
}

extension StringProtocol {
  fileprivate func trimming(_ set: Set<Character>) -> SubSequence {
    var rest = self[...]
    while let first = rest.first, set.contains(first) { rest = rest.dropFirst() }
    while let last = rest.last, set.contains(last) { rest = rest.dropLast() }
    return rest
  }

  /// Whether `beginning` occurs at the start, or after a character that is neither a letter nor a digit.
  fileprivate func beginsToken(_ beginning: String) -> Bool {
    ranges(of: beginning).contains { range in
      guard range.lowerBound > startIndex else { return true }
      let before = self[index(before: range.lowerBound)]
      return !before.isLetter && !before.isNumber
    }
  }
}

/// Recognises a key, or a significant part of it.
struct SecretParts {
  private let whole: String
  /// Every run of ``length`` bytes of the key.
  private let runs: Set<[UInt8]>
  private static let length = 8

  init(_ key: APIKey) {
    whole = key.text
    runs = Self.runs(of: key.text)
  }

  func occurs(in word: String) -> Bool {
    word.contains(whole) || !runs.isDisjoint(with: Self.runs(of: word))
  }

  private static func runs(of text: String) -> Set<[UInt8]> {
    let bytes = Array(text.utf8)
    guard bytes.count >= length else { return [] }
    return Set((0...bytes.count - length).map { Array(bytes[$0..<$0 + length]) })
  }
}

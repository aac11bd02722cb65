import Testing

/// The title of a test is a sentence that can be read alone, as in a log: it begins with its subject.
enum Titles {
  static func faults(in file: TextFile) -> [Fault] {
    guard file.kind == "swift", file.hasLine(with: "@Test") else { return [] }
    var faults: [Fault] = []
    var lines: [String: Int] = [:]
    for (line, title) in titles(in: file) {
      func fail(_ remedy: String) { faults.append(Fault(path: file.path, line: line, remedy: remedy)) }
      guard let title else {
        fail("give the test a title")
        continue
      }
      if !TestTitle.beginsWithSubject(title) {
        fail("begin the title with its subject, not with “\(TestTitle.firstWord(of: title))”: “\(title)”")
      }
      if let first = lines[title] { fail("give the test a title of its own: that of line \(first) is the same") }
      lines[title] = lines[title] ?? line
    }
    return faults
  }

  /// The titles as the source has them, between the quotes, with the lines of their attributes.
  private static func titles(in file: TextFile) -> [(line: Int, title: String?)] {
    CodeAndComments(file).code.enumerated().filter { $0.element.includes("@Test") }.flatMap { index, line in
      line.ranges(of: "@Test").compactMap { range -> (line: Int, title: String?)? in
        // Not `@Testable`.
        if let next = line[range.upperBound...].first, next.isLetter || next.isNumber { return nil }
        let column = line.utf8.distance(from: line.startIndex, to: range.upperBound)
        let text = file.lines[index...].prefix(2).joined(separator: "\n").utf8.dropFirst(column)
        return (index + 1, title(String(decoding: text, as: UTF8.self)))
      }
    }
  }

  /// - Parameter text: what follows `@Test`.
  private static func title(_ text: String) -> String? {
    guard text.first == "(" else { return nil }
    let text = text.dropFirst().drop(while: \.isWhitespace)
    guard text.first == "\"" else { return nil }
    var title = ""
    var isEscaped = false
    for character in text.dropFirst() {
      if character == "\"", !isEscaped { return title }
      isEscaped = character == "\\" && !isEscaped
      title.append(character)
    }
    return nil
  }
}

@Suite("Titles")
struct TitlesTests {
  @Test("titles of tests begin with a subject, and are unique in their file")
  func repository() {
    expectNone(Repository.current.tests.flatMap(Titles.faults))
  }

  @Test("a title without a subject is found, and a test without a title", arguments: [
    (#"@Test("a cancelled generation releases its hold")"#, true), (#"@Test("removes its hold")"#, false),
    (#"@Test("Holds, of a dead process, those are ended")"#, false), (#"@Test("\"a\" is refused")"#, false),
    (#"@Test("3 pictures are made", arguments: [1])"#, true), ("@Test func a() {}", false), (#"// @Test("is none")"#, true),
  ])
  func examples(line: String, isGood: Bool) {
    #expect(Titles.faults(in: TextFile(path: "Tests/A/B.swift", lines: [line])).isEmpty == isGood)
  }

  @Test("a title is found on the next line, and a second time")
  func lines() {
    let lines = ["@Test(", #"  "a b", arguments: [1])"#, #"@Test("a b") func a() {}"#, #"@Test("that c") func b() {}"#]
    #expect(Titles.faults(in: TextFile(path: "Tests/A/B.swift", lines: lines)).map(\.line) == [3, 4])
  }
}

/// Whether a title of a test begins with its subject, as far as its first word tells.
enum TestTitle {
  /// The first word in lowercase, without the punctuation behind it.
  static func firstWord(of title: String) -> String {
    let word = title.prefix { !$0.isWhitespace }.lowercased()
    return String(word.reversed().drop { ",.:;".contains($0) }.reversed())
  }

  /// False for what cannot begin a subject: a refused word, or no word at all ("*", "--json").
  static func beginsWithSubject(_ title: String) -> Bool {
    let word = firstWord(of: title)
    guard let first = word.first, first.isLetter || first.isNumber || first == "_" else { return false }
    return !refusedFirstWords.contains(word)
  }

  static let refusedFirstWords: Set<String> = [
    // Subordinators, conjunctions and question words.
    "after", "although", "and", "as", "because", "before", "but", "for", "how", "however", "if", "lest", "nor", "not",
    "once", "or", "since", "so", "than", "that", "though", "unless", "until", "what", "whatever", "when", "whenever",
    "where", "whereas", "wherever", "whether", "which", "whichever", "while", "who", "whoever", "whom", "whose", "why",
    "yet",
    // Prepositions.
    "about", "above", "across", "against", "along", "amid", "among", "around", "at", "behind", "below", "beneath",
    "beside", "besides", "between", "beyond", "by", "despite", "down", "during", "except", "from", "in", "inside",
    "into", "of", "off", "on", "onto", "out", "outside", "over", "through", "throughout", "till", "to", "toward",
    "towards", "under", "underneath", "unlike", "up", "upon", "via", "with", "within", "without",
    // Pronouns without a noun.
    "he", "her", "his", "it", "its", "she", "their", "them", "they",
    // Auxiliaries and modals.
    "am", "are", "be", "been", "being", "can", "cannot", "could", "did", "do", "does", "had", "has", "have", "is",
    "may", "might", "must", "need", "needs", "never", "shall", "should", "was", "were", "will", "would",
    // Adverbs.
    "again", "almost", "already", "also", "always", "anew", "clockwise", "even", "further", "here", "just", "larger",
    "often", "sometimes", "soon", "still", "then", "there",
    // Participles.
    "asked", "bought", "broken", "brought", "changed", "holding", "killed", "made", "renewed", "restored", "sold",
    "submitted",
    // Verbs in the third person.
    "accepts", "adds", "agrees", "allows", "answers", "appends", "applies", "arrives", "asks", "becomes", "begins",
    "behaves", "belongs", "bounds", "brings", "calls", "cancels", "carries", "charges", "checks", "chooses", "cleans",
    "clears", "closes", "comes", "compares", "computes", "confirms", "contains", "continues", "converts", "costs",
    "counts", "decides", "decodes", "defines", "deletes", "delivers", "demands", "describes", "detects", "differs",
    "discards", "documents", "draws", "drops", "edits", "emits", "encodes", "ends", "ensures", "erases", "escapes",
    "exists", "exits", "expects", "expires", "explains", "extends", "fails", "falls", "fetches", "fills", "finds",
    "finishes", "fits", "follows", "forgets", "forwards", "frees", "gets", "gives", "goes", "grows", "handles", "heals",
    "heeds", "hides", "holds", "honours", "identifies", "ignores", "includes", "inserts", "invents", "joins", "keeps",
    "knows", "lasts", "leads", "learns", "leaves", "lends", "lets", "lies", "listens", "lists", "locks", "logs",
    "looks", "loses", "maintains", "makes", "matches", "means", "meets", "merges", "mirrors", "moves", "names",
    "normalises", "notices", "notifies", "obeys", "observes", "offers", "omits", "opens", "overwrites", "owes",
    "parses", "passes", "persists", "picks", "plays", "predicts", "prefers", "prepares", "preserves", "prevents",
    "prints", "produces", "propagates", "protects", "proves", "provides", "publishes", "pushes", "puts", "raises",
    "reaches", "reads", "receives", "reckons", "recognises", "recovers", "refuses", "rejects", "relies", "reminds",
    "removes", "renames", "renders", "reopens", "repeats", "replaces", "requires", "resolves", "respects", "responds",
    "restarts", "restores", "resumes", "returns", "reuses", "revokes", "rewrites", "rises", "rolls", "rounds", "runs",
    "saves", "says", "searches", "sees", "selects", "sells", "sends", "separates", "serves", "sets", "settles",
    "shares", "shows", "shrinks", "shuts", "skips", "sorts", "speaks", "spends", "stands", "starts", "stays", "stops",
    "streams", "strips", "submits", "succeeds", "survives", "swallows", "swaps", "syncs", "takes", "tells", "throws",
    "tolerates", "tracks", "treats", "tries", "trims", "truncates", "trusts", "turns", "unlocks", "uploads", "uses",
    "validates", "verifies", "waits", "wakes", "warns", "wins", "withdraws", "works", "wraps", "writes", "yields",
    // Verbs in the base form.
    "accept", "add", "agree", "allow", "answer", "append", "apply", "arrive", "ask", "audit", "become", "begin",
    "behave", "belong", "bind", "bound", "bring", "build", "call", "cancel", "carry", "charge", "choose", "claim",
    "close", "come", "compare", "compute", "confirm", "contain", "continue", "convert", "cost", "count", "create",
    "cut", "decide", "decode", "define", "delete", "deliver", "demand", "describe", "detect", "differ", "discard",
    "double", "drop", "emit", "encode", "end", "ensure", "erase", "escape", "exist", "exit", "expect", "expire",
    "explain", "export", "extend", "fail", "fall", "fetch", "fill", "find", "finish", "fit", "fix", "follow", "forget",
    "generate", "get", "give", "go", "grow", "handle", "hide", "hold", "ignore", "include", "initialize", "insert",
    "join", "keep", "know", "last", "lead", "learn", "leave", "lend", "let", "link", "list", "listen", "lock", "log",
    "look", "lose", "make", "match", "mean", "meet", "merge", "name", "notify", "omit", "owe", "parse", "pass", "pause",
    "pick", "play", "prefer", "prepare", "print", "produce", "protect", "provide", "publish", "put", "reach", "read",
    "receive", "reckon", "recognise", "recover", "refine", "refuse", "regenerate", "reject", "release", "remind",
    "remove", "rename", "render", "repeat", "replace", "require", "resolve", "respect", "resume", "retry", "return",
    "reuse", "revoke", "rise", "roll", "round", "run", "save", "say", "search", "see", "select", "sell", "send",
    "separate", "serve", "set", "settle", "share", "show", "shrink", "shut", "skip", "sort", "speak", "spend", "stand",
    "start", "stay", "stop", "strip", "submit", "succeed", "survive", "take", "tell", "throw", "track", "treat", "trim",
    "try", "turn", "undo", "use", "validate", "verify", "wait", "wake", "warn", "win", "withdraw", "write", "yield",
  ]
}

import Testing

/// A word means one thing, and is the one that a stranger would search for.
enum Words {
  /// The words that are not used, in each of their forms, and what to say.
  private static let refused: KeyValuePairs<[String], String> = [
    ["house", "houses"]: "fixture, store or service",
    ["speaker", "speakers"]: "text provider, or host",
    ["painter", "painters"]: "provider",
    ["board", "boards"]: "state",
    ["tip", "tips"]: "tail",
    ["beat", "beats", "beating", "beaten"]: "heartbeat",
    ["wish", "wishes", "wished", "wishing"]: "request",
  ]

  private static let replacements: [String: String] = Dictionary(
    uniqueKeysWithValues: refused.flatMap { forms, replacement in forms.map { ($0, replacement) } })

  /// Where they mean what they mean everywhere.
  private static let exceptions = Exceptions(reasons: [
    "Engine/Prompts/": "plain English for models: the tips of the hair, the wish of a person",
    "TidyTests/Words.swift": "the list itself",
  ])

  /// Names that others gave.
  private static let foreignNames = ["house_number"]

  static func faults(in file: TextFile) -> [Fault] {
    if exceptions.cover(file.path) { return [] }
    let named = words(of: file.path).compactMap { fault($0, file, line: 0) }
    return named + file.lines.enumerated().flatMap { index, line in
      words(of: line).compactMap { fault($0, file, line: index + 1) }
    }
  }

  private static func fault(_ word: String, _ file: TextFile, line: Int) -> Fault? {
    replacements[word].map { Fault(path: file.path, line: line, remedy: "say \($0) instead of “\(word)”") }
  }

  /// The words of a line in lowercase; of `ServiceFixture` and `SERVICE_FIXTURE`, both.
  static func words(of line: String) -> [String] {
    let line = foreignNames.reduce(line) { $0.includes($1) ? $0.replacing($1, with: " ") : $0 }
    var words: [String] = []
    var word: [UInt8] = []
    var (wasUpper, wasLower) = (false, false)
    func end() {
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word = []
    }
    for byte in line.utf8 {
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      if isLower, wasUpper, word.count > 1 {
        // The last capital of an abbreviation begins the next word, as in `URLState`.
        let first = word.removeLast()
        end()
        word = [first]
      } else if !isLower && !isUpper || isUpper && wasLower {
        end()
      }
      if isUpper || isLower { word.append(byte | 0x20) }
      (wasUpper, wasLower) = (isUpper, isLower)
    }
    end()
    return words
  }
}

@Suite("Words")
struct WordsTests {
  @Test("words that are not used do not stand anywhere")
  func repository() {
    expectNone(Repository.current.files.flatMap(Words.faults))
  }

  @Test("a word is found alone and in a name, and not within another word", arguments: [
    ("let house = Beat()", 2), ("ServiceBoard(tip)", 2), ("isCancelWished", 1), ("SPEAKER_BOARD, painters", 3),
    ("URLBoard BEAT", 2),
    ("a lighthouse by the keyboard", 0), ("heartbeatMs nextProbeAt hardSwish multiple households", 0),
    (#"part("house_number")"#, 0),
  ])
  func examples(line: String, count: Int) {
    #expect(Words.faults(in: TextFile(path: "Sources/A/B.swift", lines: [line])).count == count)
  }

  @Test("the name of a file is looked at as well")
  func names() {
    #expect(Words.faults(in: TextFile(path: "Tests/Support/ServiceBoard.swift", lines: [])).map(\.line) == [0])
  }
}

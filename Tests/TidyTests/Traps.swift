import Testing

/// Nothing that comes from outside may end the process.
enum Traps {
  private static let exceptions = Exceptions(reasons: [
    "GeminiSimulator/Resources.swift": "reads files of its own bundle, which its tests read as well"
  ])

  private static let words = ["fatalError(", "preconditionFailure(", "try!", "as!"]

  /// A fault for each line that would end the process instead of throwing.
  private static func uses(in file: TextFile) -> [Fault] {
    func mayTrap(_ line: String) -> Bool { line.includes("!") || words.contains(where: line.includes) }
    guard file.kind == "swift", file.lines.contains(where: mayTrap) else { return [] }
    return CodeAndComments(file).code.enumerated().compactMap { index, line in
      guard mayTrap(line), unwraps(line) || words.contains(where: { has($0, line) }) else { return nil }
      return Fault(
        path: file.path, line: index + 1,
        remedy: "throw an error, or return; if that is impossible, list the file with the reason in Traps.swift")
    }
  }

  private static func has(_ word: String, _ line: String) -> Bool {
    line.ranges(of: word).contains { range in !(line[..<range.lowerBound].last.map(isPartOfName) ?? false) }
  }

  /// Whether a `!` stands behind a value: not `a != b`, `!a`, `String!` or the `!` of `try!`.
  private static func unwraps(_ line: String) -> Bool {
    line.indices.contains { index in
      guard line[index] == "!", line[line.index(after: index)...].first != "=" else { return false }
      let before = line[..<index]
      guard let last = before.last else { return false }
      if last == ")" || last == "]" || last == "\"" || last == "}" { return true }
      let name = before.reversed().prefix(while: isPartOfName)
      guard let first = name.last, !["try", "as"].contains(String(name.reversed())) else { return false }
      return first.isLowercase || first == "_" || first == "$" || first.isNumber
    }
  }

  private static func isPartOfName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "$"
  }

  static func faults(in files: [TextFile]) -> [Fault] {
    let uses = files.flatMap(uses)
    return uses.filter { !exceptions.cover($0.path) } + exceptions.unneeded(by: Set(uses.map(\.path)))
  }
}

@Suite("Traps")
struct TrapsTests {
  @Test("the process ends itself only in the files that are listed with a reason")
  func repository() {
    expectNone(Traps.faults(in: Repository.current.sources))
  }

  @Test("a trap is found, and what only looks like one is not", arguments: [
    ("let a = b!", true), ("a()!.b", true), ("a[0]! = 1", true), ("$0!", true), ("a = try! b()", true), ("a as! B", true),
    ("fatalError()", true), ("preconditionFailure(a)", true), (#"URL(string: "a")!"#, true), (#""\(a!)""#, true),
    ("a != b", false), ("if !a {}", false), ("a && !b", false), ("var a: String!", false), ("// a!", false),
    (#""Stop!""#, false), ("self.fatalErrors(1)", false), ("a !== b", false), ("[!a, !b]", false), ("(!a)", false),
    ("return !a", false),
  ])
  func examples(line: String, isFault: Bool) {
    let file = TextFile(path: "Sources/A/B.swift", lines: [line])
    #expect(Traps.faults(in: [file]).contains { $0.path == file.path } == isFault)
  }
}

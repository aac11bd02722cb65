import Testing

/// A file answers one question.
enum Sizes {
  static let mostLinesOfSources = 400
  static let mostLinesOfTests = 600

  static func faults(in file: TextFile) -> [Fault] {
    let limits = [
      ("Sources/", mostLinesOfSources), ("Tests/", mostLinesOfTests), ("clients/swift/Tests/", mostLinesOfTests),
      ("clients/web/tests/", mostLinesOfTests), ("clients/swift/", mostLinesOfSources),
      ("clients/web/Sources/", mostLinesOfSources),
    ]
    guard ["swift", "c", "h"].contains(file.kind), let (_, most) = limits.first(where: { file.path.hasPrefix($0.0) }),
      file.lines.count > most
    else { return [] }
    let remedy = "split the file: it has \(file.lines.count) lines, and \(most) are the most"
    return [Fault(path: file.path, line: most + 1, remedy: remedy)]
  }
}

@Suite("Sizes")
struct SizesTests {
  @Test("files are short enough")
  func repository() {
    expectNone(Repository.current.files.flatMap(Sizes.faults))
  }

  @Test("a file that is one line too long is found", arguments: [
    ("Sources/A/B.swift", 401, 1), ("Sources/A/B.swift", 400, 0), ("Tests/A/B.swift", 600, 0), ("Tests/A/B.swift", 601, 1),
    ("clients/swift/Sources/A/B.swift", 401, 1), ("clients/swift/Tests/A/B.swift", 600, 0),
    ("Sources/A/B.md", 900, 0), ("docs/a.md", 900, 0),
  ])
  func examples(path: String, lines: Int, count: Int) {
    #expect(Sizes.faults(in: TextFile(path: path, lines: [String](repeating: "", count: lines))).count == count)
  }
}

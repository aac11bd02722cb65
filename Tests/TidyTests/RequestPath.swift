import Testing

/// The path of a request in CONTRIBUTING.md names functions that exist, in the files where they stand.
enum RequestPath {
  private static let document = "CONTRIBUTING.md"
  private static let heading = "## The path of one `generate` request"

  /// The rows of the table: `Type.function` and its file.
  private static func steps(in lines: [String]) -> [(line: Int, function: String, file: String)] {
    guard let start = lines.firstIndex(of: heading) else { return [] }
    return lines.enumerated().dropFirst(start).prefix { $0.offset == start || !$0.element.hasPrefix("## ") }
      .compactMap { index, line in
        let cells = line.split(separator: "|").map { $0.drop { $0 == " " }.prefix { $0 != " " } }
        guard cells.count == 3, cells[1].first == "`", cells[2].first == "`" else { return nil }
        return (index + 1, cells[1].filter { $0 != "`" }, cells[2].filter { $0 != "`" })
      }
  }

  /// What may declare the function, without its type and arguments; the argument of an event is a case.
  private static func declarations(of function: String) -> [String] {
    let name = function.drop { $0 != "." }.dropFirst().prefix { $0 != "(" }
    return name == "init" ? ["init("] : ["func \(name)", "let \(name): @Sendable"]
  }

  static func faults(in lines: [String], of files: [TextFile]) -> [Fault] {
    steps(in: lines).filter { step in
      let declarations = declarations(of: step.function)
      return !files.contains { $0.path.hasSuffix("/\(step.file)") && declarations.contains(where: $0.hasLine) }
    }.map { step in
      Fault(path: document, line: step.line, remedy: "name the file of \(step.function): it is not in \(step.file)")
    }
  }
}

@Suite("The path of a request")
struct RequestPathTests {
  @Test("each step of the path names a function and the file in which it stands")
  func repository() throws {
    let repository = Repository.current
    let lines = try #require(repository.files.first { $0.path == "CONTRIBUTING.md" }?.lines)
    expectNone(RequestPath.faults(in: lines, of: repository.sources))
    #expect(RequestPath.faults(in: lines, of: []).count > 15, "the table is not found")
    #expect(RequestPath.faults(in: lines, of: []).count <= 25, "the path is too long to follow")
  }

  @Test("a step that names a function of another file is found", arguments: [
    ("| act | `A.run(.begun)` | `B/A.swift` |", 0), ("| act | `A.stop` | `B/A.swift` |", 1),
    ("| act | `A.run` | `B/C.swift` |", 1), ("| act | `A.init(parsing:)` | `B/A.swift` |", 1),
  ])
  func examples(row: String, count: Int) {
    let file = TextFile(path: "Sources/S/B/A.swift", lines: ["struct A {", "  func run() {}", "}"])
    let lines = ["## The path of one `generate` request", "", row, "", "## Next", "| act | `A.none` | `B/A.swift` |"]
    #expect(RequestPath.faults(in: lines, of: [file]).count == count)
  }
}

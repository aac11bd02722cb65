import Testing

/// Whoever reads CONTRIBUTING.md learns of every actor which state it has.
enum Actors {
  private static let document = "CONTRIBUTING.md"

  /// The names of the actors that the code declares, each with its file and line.
  private static func declared(in files: [TextFile]) -> [(name: Substring, path: String, line: Int)] {
    files.filter { $0.kind == "swift" && $0.hasLine(with: "actor ") }.flatMap { file in
      CodeAndComments(file).code.enumerated().compactMap { index, line in
        let words = line.split { !($0.isLetter || $0.isNumber) }
        guard let place = words.firstIndex(of: "actor"), words.indices.contains(place + 1) else { return nil }
        return (words[place + 1], file.path, index + 1)
      }
    }
  }

  static func faults(in files: [TextFile], listedIn lines: [String]) -> [Fault] {
    declared(in: files).compactMap { actor in
      if lines.contains(where: { $0.includes("`\(actor.name)`") }) { return nil }
      return Fault(
        path: actor.path, line: actor.line, remedy: "say in \(document) which state the actor \(actor.name) has")
    }
  }

  static func faults(in repository: Repository) -> [Fault] {
    let lines = repository.files.first { $0.path == document }?.lines ?? []
    return faults(in: repository.sources, listedIn: lines)
  }
}

@Suite("Actors")
struct ActorsTests {
  @Test("an actor is listed with the state that it has")
  func repository() {
    expectNone(Actors.faults(in: Repository.current))
  }

  @Test("an actor that is not listed is found, and in a comment is none", arguments: [
    ("public actor Counter {", 1), ("  actor Bill {", 1), ("actor Listed: Sendable {", 0), ("/// An actor Counter", 0),
    ("let factor = 1", 0),
  ])
  func examples(line: String, count: Int) {
    let file = TextFile(path: "Sources/A/B.swift", lines: [line])
    #expect(Actors.faults(in: [file], listedIn: ["- `Listed`: a number"]).count == count)
  }
}

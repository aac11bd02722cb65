import Support
import ServiceFixture
import Testing

@Suite("atelier watch", .serialized, .timeLimit(.minutes(2)))
struct WatchCommandTests {
  private let directory: TemporaryDirectory
  private let photo = Fixture.path("portraits/astronaut.png")

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ arguments: String...) async throws -> Executable.Outcome {
    try await Executable.run(arguments + ["--data-dir", "\(directory.path)/data"])
  }

  @Test("atelier watch prints the paths of a generation's pictures")
  func paths() async throws {
    let made = try await run("generate", photo, "--count", "2", "--no-output")
    #expect(made.lines.count == 2, "\(made.errors)")
    let history = try await run("history", "--json")
    let id = try #require(history.output.firstMatch(of: #/"generationId":"([^"]+)"/#)?.output.1)
    let watched = try await run("watch", String(id))
    #expect(watched.status == 0, "\(watched.errors)")
    #expect(watched.lines == made.lines)
  }

  @Test("atelier watch ends with 1 and a sentence where there are no pictures")
  func failures() async throws {
    let unknown = try await run("watch", "gen_none")
    #expect(unknown.status == 1 && unknown.output.isEmpty)
    #expect(unknown.errors.contains("There is no generation “gen_none”"))
    let failed = try await run("generate", Fixture.path("images/plain.png"))
    #expect(failed.status == 1)
    let history = try await run("history", "--json")
    let id = try #require(history.output.firstMatch(of: #/"generationId":"([^"]+)"/#)?.output.1)
    let watched = try await run("watch", String(id))
    #expect(watched.status == 1 && watched.output.isEmpty)
    #expect(watched.errors.contains("face"), "\(watched.errors)")
  }

  @Test("atelier watch needs the id of a generation", arguments: [["watch"], ["watch", ""], ["watch", "a", "b"]])
  func usage(arguments: [String]) async throws {
    #expect(try await Executable.run(arguments).status == 2)
  }
}

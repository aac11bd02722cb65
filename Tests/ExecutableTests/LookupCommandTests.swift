import AtelierProtocol
import Foundation
import JSON
import Support
import ServiceFixture
import Testing

@Suite("Commands that ask what hosts ask", .serialized, .timeLimit(.minutes(2)))
struct LookupCommandTests {
  private let directory: TemporaryDirectory
  private var data: String { "\(directory.path)/data" }
  private let photo = Fixture.path("portraits/astronaut.png")

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ arguments: String...) async throws -> Executable.Outcome {
    try await Executable.run(arguments + ["--data-dir", data])
  }

  private func json(_ outcome: Executable.Outcome) throws -> JSONValue {
    try JSONValue(parsing: Array(outcome.output.utf8))
  }

  private func made(_ arguments: String...) async throws -> String {
    let outcome = try await Executable.run(["generate", photo, "--no-output", "--json", "--data-dir", data] + arguments)
    return try #require(try json(outcome)["generationId"]?.string)
  }

  @Test("atelier status shows a generation, or the installation")
  func status() async throws {
    let id = try await made()
    let outcome = try await run("status", id)
    #expect(outcome.status == 0)
    #expect(outcome.lines.first?.contains("  \(id)  succeeded  headshot auto") == true)
    #expect(try json(try await run("status", id, "--json"))["generationId"]?.string == id)
    let service = try await run("status")
    #expect(service.lines.contains("Data directory: \(data), in order."))
    #expect(service.lines.contains("Provider ondevice: ready."))
    #expect(try json(try await run("status", "--json"))["store"]?["healthy"] == true)
    let unknown = try await run("status", "gen_nothing")
    #expect(unknown.status == 1)
    #expect(unknown.errors.contains("There is no generation “gen_nothing”"))
    #expect(try await run("status", id, "--account", "anna").status == 1)
  }

  @Test("atelier cancel leaves what has ended as it is")
  func cancel() async throws {
    let id = try await made()
    let outcome = try await run("cancel", id)
    #expect(outcome.status == 1)
    #expect(outcome.errors == "atelier: This has already ended and can no longer be cancelled.\n")
  }

  @Test("atelier delete removes generations, and goes on after one that is not there")
  func delete() async throws {
    let id = try await made()
    let outcome = try await run("delete", "gen_nothing", id)
    #expect(outcome.status == 1)
    #expect(outcome.lines.count == 1)
    #expect(outcome.lines.first?.hasPrefix("1 deleted, ") == true)
    #expect(outcome.errors.contains("atelier: gen_nothing: "))
    #expect(outcome.errors.hasSuffix("atelier: 1 of 2 failed.\n"))
    #expect(try await run("status", id).status == 1)
    _ = try await made("--account", "anna", "--background", "casual")
    let all = try await run("delete", "--all", "--account", "anna", "--json")
    #expect(try json(all)["deleted"] == 1)
    #expect(try json(try await run("history", "--account", "*", "--json"))["totals"]?["generations"] == 0)
  }

  @Test("atelier export writes records and pictures")
  func export() async throws {
    let id = try await made()
    let folder = try directory.makeFolder("export")
    let outcome = try await run("export", folder)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let path = try #require(outcome.lines.first)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains(id))
    #expect(outcome.errors.hasPrefix("atelier: 1 generations and "))
    #expect(try json(try await run("export", folder, "--json"))["entries"] == 1)
    let missing = try await run("export", "\(directory.path)/nowhere")
    #expect(missing.status == 1)
    #expect(missing.errors.contains("does not exist"))
  }

  @Test("atelier templates lists the library, and shows one")
  func templates() async throws {
    let beards = try await run("templates", "--category", "beard")
    #expect(beards.lines.contains("short-boxed-beard  beard  Short boxed beard"))
    #expect(beards.lines.allSatisfy { $0.contains("  beard  ") })
    let one = try await run("templates", "short-boxed-beard")
    #expect(one.lines.first == "short-boxed-beard  beard  Short boxed beard")
    #expect(one.lines.count > 1)
    #expect(try json(try await run("templates", "short-boxed-beard", "--json"))["category"] == "beard")
    let page = try json(try await run("templates", "--limit", "3", "--json"))
    #expect(page["templates"]?.array?.count == 3)
    let next = try await run("templates", "--limit", "3", "--cursor", try #require(page["nextCursor"]?.string))
    #expect(next.lines.count == 4)
    #expect(try await run("templates", "nothing").errors.contains("There is no hairstyle “nothing”"))
    #expect(
      try await run("templates", "--search", "zzzz").lines == ["There is no such template. `atelier templates` lists all."])
  }

  @Test("atelier prepare keeps a photo that generate can use")
  func prepare() async throws {
    let outcome = try await run("prepare", photo)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let id = try #require(outcome.lines.first)
    #expect(id.hasPrefix("prep_"))
    #expect(outcome.errors.contains("pixels"))
    let made = try await run("generate", "--prepared", id, "--no-output")
    #expect(made.status == 0, "\(made.errors)")
    #expect(try json(try await run("prepare", photo, "--json"))["preparedId"]?.string?.hasPrefix("prep_") == true)
    #expect(try await run("prepare", "/nowhere").status == 1)
    #expect(try await run("generate", "--prepared", "prep_nothing").errors.contains("There is no prepared image"))
  }

  @Test("atelier providers tells who makes what, and what is missing")
  func providers() async throws {
    let outcome = try await run("providers")
    #expect(outcome.lines.contains("ondevice  On this device: ready"))
    #expect(outcome.lines.contains("gemini  Google Gemini: needs a key"))
    #expect(outcome.lines.contains(
      "    makes: headshot, hairstyle (asked first), edit (asked first), create (asked first), places (asked first)"))
    let listed = try json(try await run("providers", "--json"))["providers"]?.array ?? []
    #expect(Set(listed.compactMap { $0["id"]?.string }) == Set(ProviderID.all.map(\.rawValue)))
  }
}

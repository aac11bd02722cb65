import Foundation
import JSON
import ServiceFixture
import Support
import Testing

@Suite("atelier backup and restore", .serialized, .timeLimit(.minutes(4)))
struct BackupCommandTests {
  private let directory: TemporaryDirectory
  private let photo = Fixture.path("portraits/astronaut.png")
  private var data: String { directory.path("data") }
  private var backup: String { directory.path("backup") }

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ arguments: String..., data: String? = nil) async throws -> Executable.Outcome {
    try await Executable.run(arguments + ["--data-dir", data ?? self.data])
  }

  private func json(_ outcome: Executable.Outcome) throws -> JSONValue { try JSONValue(parsing: Array(outcome.output.utf8)) }

  private func grant(_ amount: Int, key: String) async throws {
    let outcome = try await run(
      "credits", "grant", "--account", "anna", "--amount", "\(amount)", "--reason", "x", "--key", key)
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  private func credits(data: String? = nil) async throws -> JSONValue? {
    try json(try await run("credits", "show", "--account", "anna", "--json", data: data))["available"]
  }

  @Test("atelier backup and restore bring back a picture, history and credits, and say what to do about credits since")
  func thereAndBack() async throws {
    let made = try await run("generate", photo, "--no-output")
    let path = try #require(made.lines.first, "\(made.errors)")
    let picture = try Data(contentsOf: URL(fileURLWithPath: path))
    try await grant(5, key: "a")
    try await grant(7, key: "b")
    let balance = try await credits()
    let outcome = try await run("backup", backup)
    #expect(outcome.status == 0 && outcome.lines == [backup], "\(outcome.errors)")
    #expect(outcome.errors.contains(" of them new"), "\(outcome.errors)")
    // The next one copies nothing twice.
    #expect(try json(try await run("backup", backup, "--json"))["copied"] == 0)
    try await grant(9, key: "c")

    let elsewhere = directory.path("elsewhere")
    let restored = try await run("restore", backup, data: elsewhere)
    #expect(restored.status == 0 && restored.lines == [elsewhere], "\(restored.errors)")
    #expect(restored.errors.contains("Grant and revoke again with the same keys"))
    #expect(try await credits(data: elsewhere) == balance)
    #expect(try await run("doctor", data: elsewhere).status == 0)
    let copy = path.replacingOccurrences(of: data, with: elsewhere)
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == picture)

    // In its own place, whose picture is lost meanwhile.
    try FileManager.default.removeItem(atPath: path)
    let back = try await run("restore", backup, "--json")
    #expect(back.status == 0, "\(back.errors)")
    #expect(try json(back)["copied"] == 1)
    #expect(back.errors.contains("\(data)/atelier.sqlite.replaced"))
    #expect(try await credits() == balance)
    for _ in 0..<2 { try await grant(9, key: "c") }
    #expect(try await credits()?.number?.integer(as: Int.self) == balance?.number?.integer(as: Int.self).map { $0 + 9 })
    #expect(try await run("credits", "audit").status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == picture)
  }

  @Test("atelier backup and restore make no data directory where there is none to back up")
  func nothing() async throws {
    let outcome = try await run("backup", backup)
    #expect(outcome.status == 3 && outcome.errors.contains("holds nothing to back up"), "\(outcome.errors)")
    for path in [data, backup] { #expect(!FileManager.default.fileExists(atPath: path)) }
  }

  @Test("atelier backup and restore end with 1 where a picture is lost, and name it")
  func lost() async throws {
    let path = try #require(try await run("generate", photo, "--no-output").lines.first)
    try FileManager.default.removeItem(atPath: path)
    let outcome = try await run("backup", backup)
    #expect(outcome.status == 1 && outcome.errors.contains("\(path) is not in the backup"), "\(outcome.errors)")
    // The rest is, and can be restored.
    #expect(try await run("restore", backup, data: directory.path("elsewhere")).status == 0)
  }

  @Test("atelier backup and restore refuse with 3 while a service works, and with 2 without a folder")
  func refusals() async throws {
    try await grant(5, key: "a")
    #expect(try await run("backup", backup).status == 0)
    let service = try ServiceProcess(["--data-dir", data])
    _ = try await service.host.call(1, "history")
    let outcome = try await run("restore", backup)
    #expect(outcome.status == 3 && outcome.errors.contains("uses \(data). End it, then restore."), "\(outcome.errors)")
    // A backup may be made meanwhile.
    #expect(try await run("backup", backup).status == 0)
    #expect(await service.finish().status == 0)
    #expect(try await run("restore", backup).status == 0)
    for command in ["backup", "restore"] {
      #expect(try await Executable.run([command]).status == 2)
      #expect(try await Executable.run([command, ""]).status == 2)
    }
  }

  @Test("a backup or restoration killed at any moment leaves all of the old or all of the new")
  func killed() async throws {
    try await grant(5, key: "a")
    _ = try await run("generate", photo, "--no-output")
    #expect(try await run("backup", backup).status == 0)
    var seen: Set<String> = []
    for round in 0..<10 {
      if round.isMultiple(of: 2) { try await grant(7, key: "round \(round)") }
      let before = try await credits()
      // The moments cover the whole life of the command, on a machine of any speed.
      let moment = String(Double(round) * 0.02 + 0.005)
      let command = ["-s", "KILL", moment, Executable.path, round.isMultiple(of: 3) ? "backup" : "restore", backup]
      _ = try await Executable.run(command + ["--data-dir", data], program: "/usr/bin/timeout")
      let after = try #require(try await credits())
      if after != before { seen.insert("replaced") } else { seen.insert("kept") }
      #expect(try await run("doctor").status == 0, "round \(round)")
      #expect(try await run("restore", backup, data: directory.path("other \(round)")).status == 0, "round \(round)")
    }
    #expect(seen.contains("kept"))
  }
}

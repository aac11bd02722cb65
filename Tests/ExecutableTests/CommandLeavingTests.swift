import Foundation
import JSON
import Support
import ServiceFixture
import Testing

@Suite("A command that ends", .serialized, .timeLimit(.minutes(3)))
struct CommandLeavingTests {
  private let directory: TemporaryDirectory
  private var data: String { "\(directory.path)/data" }

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func run(_ arguments: [String]) async throws -> Executable.Outcome {
    try await Executable.run(arguments + ["--data-dir", data])
  }

  /// Changes the database as nobody should.
  private func change(_ python: String) async throws {
    let code = "import sqlite3; d = sqlite3.connect('\(data)/atelier.sqlite'); \(python); d.commit()"
    let outcome = try await Executable.run(["-c", code], program: "/usr/bin/python3")
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// What a process that ended in order does not leave.
  private func leftovers() throws -> [String] {
    try ["processes", "temporary"].flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: "\(data)/\(folder)").map { "\(folder)/\($0)" }
    }
  }

  @Test("a command leaves no process behind, whether it succeeds or fails", arguments: [
    (["doctor"], 0), (["doctor", "--json"], 0), (["doctor", "--confirm-clock"], 0), (["history"], 0),
    (["history", "--cursor", "nonsense"], 2),
    (["generate", "missing.jpg"], 1), (["show", "gen_of_nobody"], 1),
    (["credits", "revoke", "--account", "anna", "--amount", "9", "--reason", "x"], 1),
    (["credits", "audit"], 0), (["account", "set", "anna", "--tier", "free"], 0),
  ] as [([String], Int32)])
  func leaves(arguments: [String], status: Int32) async throws {
    let outcome = try await run(arguments)
    #expect(outcome.status == status, "\(outcome.output)\(outcome.errors)")
    #expect(try leftovers() == [])
  }

  @Test("a backup and a restoration leave no process behind, whether they succeed or fail")
  func backups() async throws {
    #expect(try await run(["credits", "audit"]).status == 0)
    for (arguments, status) in [
      (["backup", directory.path("backup")], 0), (["backup", "/dev/null"], 1), (["restore", directory.path("backup")], 0),
      (["restore", "/dev/null"], 1),
    ] as [([String], Int32)] {
      let outcome = try await run(arguments)
      #expect(outcome.status == status, "\(outcome.errors)")
      #expect(try leftovers() == [], "\(arguments)")
    }
  }

  @Test("doctor leaves no process behind where it finds the directory too damaged to look through")
  func damaged() async throws {
    #expect(try await run(["credits", "audit"]).status == 0)
    try await change("d.execute('DROP TABLE artifact')")
    let outcome = try await run(["doctor"])
    #expect(outcome.status == 1)
    #expect(try leftovers() == [])
  }

  @Test("a page of history with searches prepared for the next one leaves no process behind")
  func searching() async throws {
    #expect(try await run(["credits", "audit"]).status == 0)
    try await change(
      """
      d.executemany('''INSERT INTO generation (id, account, process, recipe, state, phase, message, sequence, created,
        finished, request, params_hash, is_private, is_detached, is_requeueable, prompt)
        VALUES (?, 'owner', 'o', 'create', 'failed', 'saving', '', 1, ?, 1, '{}', ?, 0, 0, 0, 'a lighthouse')''',
        [('gen_%d' % n, n * 1000, '0' * 64) for n in range(20000)])
      """.replacingOccurrences(of: "\n", with: " "))
    for _ in 0..<3 {
      #expect(try await run(["history", "--search", "zebra"]).status == 0)
      #expect(try leftovers() == [])
    }
  }

  @Test("a clock that nobody believes is told by status and doctor, and taken for right when it is confirmed")
  func clock() async throws {
    #expect(try await run(["credits", "grant", "--account", "anna", "--amount", "1", "--reason", "x"]).status == 0)
    #expect(try await run(["doctor"]).output.contains("✓ clock: "))
    try await change("d.execute('UPDATE clock SET trusted = trusted - 400 * 86400000')")
    // Whatever is written meanwhile is no reason to believe it.
    #expect(try await run(["credits", "grant", "--account", "anna", "--amount", "1", "--reason", "x"]).status == 0)
    let doctor = try await run(["doctor"])
    #expect(doctor.status == 1 && doctor.output.contains("✗ clock: "))
    #expect(doctor.output.contains("atelier doctor --confirm-clock"))
    let status = #"{"jsonrpc":"2.0","id":1,"method":"status"}"#
    let service = try await Executable.run(
      ["-c", "echo '\(status)' | '\(Executable.path)' --data-dir '\(data)'"], program: "/bin/sh")
    let answer = try JSONValue(parsing: Array(service.output.utf8))
    #expect(answer["result"]?["store"]?["clockDoubt"]?["message"]?.string?.contains("--confirm-clock") == true)
    #expect(try await run(["doctor", "--confirm-clock"]).output.hasPrefix("✓ clock: It is 2"))
    #expect(try await run(["doctor"]).output.contains("✓ clock: "))
  }
}

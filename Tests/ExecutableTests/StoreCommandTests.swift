import Foundation
import JSON
import ServiceFixture
import Support
import Testing

/// The folder of the socket of a PostgreSQL server that the tests may use: see scripts/with-postgresql.sh.
private let serverFolder = ProcessInfo.processInfo.environment["ATELIER_TEST_POSTGRESQL"]

@Suite(
  "atelier store", .serialized, .timeLimit(.minutes(4)),
  .enabled(if: serverFolder != nil, "no PostgreSQL server was started: see scripts/with-postgresql.sh"))
struct StoreCommandTests {
  private let directory: TemporaryDirectory
  private let database = "atelier_\(UInt64.random(in: 0...UInt64.max))"
  private let service = "service_\(UInt64.random(in: 0...UInt64.max))"
  private var data: String { directory.path("data") }

  init() async throws {
    directory = try TemporaryDirectory()
    try await psql("CREATE ROLE \(service) LOGIN")
    try await psql("CREATE DATABASE \(database) TEMPLATE template0 ENCODING 'UTF8'")
  }

  private func psql(_ statement: String, in database: String = "postgres") async throws {
    let outcome = try await Executable.run(
      ["-X", "-q", "-h", serverFolder ?? "", "-U", "postgres", "-d", database, "-c", statement], program: "/usr/bin/psql")
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// The address with a role; the database is removed when the whole server is.
  private func url(_ role: String) -> String {
    "postgresql://\(role)@\((serverFolder ?? "").replacingOccurrences(of: "/", with: "%2F"))/\(database)"
  }

  private func configuration(_ role: String) throws -> String {
    let text = #"{ "store": { "url": "\#(url(role))" } }"#
    return try directory.write("\(role).json", Array(text.utf8))
  }

  private func run(
    _ arguments: [String], data: String? = nil, output: Executable.Output = .kept
  ) async throws -> Executable.Outcome {
    try await Executable.run(arguments + ["--data-dir", data ?? self.data], output: output)
  }

  private func grant(_ amount: Int, _ rest: [String] = []) async throws {
    let outcome = try await run(
      ["credits", "grant", "--account", "anna", "--amount", "\(amount)", "--reason", "x"] + rest)
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  private func credits(_ rest: [String] = [], data: String? = nil) async throws -> JSONValue? {
    let outcome = try await run(["credits", "show", "--account", "anna", "--json"] + rest, data: data)
    return try JSONValue(parsing: Array(outcome.output.utf8))["available"]
  }

  /// What doctor says of the database on the server, besides how the server of the tests is set up.
  private func findings(_ configuration: String) async throws -> [String] {
    let outcome = try await run(["doctor", "--json", "--config", configuration])
    let findings = try JSONValue(parsing: Array(outcome.output.utf8))["findings"]?.array ?? []
    return findings.filter { $0["topic"]?.string == "database" }.compactMap { $0["sentence"]?.string }
      .filter { text in !["fsync", "full_page_writes", "are whole"].contains { text.contains($0) } }
  }

  @Test("atelier store moves a data directory to a server, for a role that cannot alter it, and back")
  func thereAndBack() async throws {
    try await grant(7)
    let before = try await credits()
    let prepared = try await run(["store", "prepare", "--url", url("postgres"), "--role", service, "--json"])
    #expect(prepared.status == 0, "\(prepared.errors)")
    #expect(try JSONValue(parsing: Array(prepared.output.utf8))["roles"]?.array == [.string(service)])
    // The pictures stay where they are.
    let copied = try await Executable.run(["store", "copy", "--from", data, "--to", url("postgres"), "--json"])
    #expect(copied.status == 0, "\(copied.errors)")
    #expect(try JSONValue(parsing: Array(copied.output.utf8))["lastTransfer"]?["hash"]?.string?.count == 64)
    #expect(!copied.errors.contains("\r"))

    let configuration = ["--config", try configuration(service)]
    #expect(try await credits(configuration) == before)
    try await grant(3, configuration)
    #expect(try await findings(configuration[1]) == [])

    let back = directory.path("back")
    let returned = try await run(["store", "copy", "--from", url(service), "--to", back])
    #expect(returned.status == 0 && returned.lines == [back], "\(returned.errors)")
    #expect(try await credits(data: back) == credits(configuration))
    #expect(try await run(["doctor"], data: back).status == 0)
  }

  @Test("atelier store does its work where its output is lost, and ends with 1 and one sentence")
  func lostOutput() async throws {
    try await grant(7)
    try await LostOutput.expect(of: "store prepare") { output in
      try await Executable.run(["store", "prepare", "--url", url("postgres")], output: output)
    }
    try #require(try await Executable.run(["store", "copy", "--from", data, "--to", url("postgres")]).status == 0)
    for name in ["kept", "fullDisk", "closedPipe", "none"] { try directory.makeFolder(name) }
    // What is filled once is not filled again.
    try await LostOutput.expect(of: "store copy") { output in
      try await run(["store", "copy", "--from", url("postgres"), "--to", directory.path("\(output)")], output: output)
    }
    for name in ["fullDisk", "closedPipe", "none"] {
      #expect(try await credits(data: directory.path(name)) == credits(), "\(name)")
    }
  }

  @Test("atelier doctor says what one role for everything could do, and when its tables are missing")
  func doctor() async throws {
    try await psql("REVOKE CREATE ON SCHEMA public FROM PUBLIC", in: database)
    let missing = try await run(["doctor", "--config", try configuration(service)])
    #expect(missing.status == 1 && missing.output.contains("atelier store prepare"), "\(missing.output)")
    try await psql("GRANT CREATE ON SCHEMA public TO \(service)", in: database)
    try await grant(1, ["--config", try configuration(service)])
    #expect(try await findings(try configuration(service)).contains { $0.contains("owns its tables") })
  }

  @Test("atelier backup and restore work with the database that the configuration names")
  func backup() async throws {
    let configuration = ["--config", try configuration("postgres")]
    try await grant(7, configuration)
    let before = try await credits(configuration)
    let backup = directory.path("backup")
    let made = try await run(["backup", backup] + configuration)
    #expect(made.status == 0, "\(made.errors)")
    let full = try await run(["restore", backup] + configuration)
    #expect(full.status == 3 && full.errors.contains("is not empty"), "\(full.errors)")
    try await psql("DROP DATABASE \(database) WITH (FORCE)")
    try await psql("CREATE DATABASE \(database) TEMPLATE template0 ENCODING 'UTF8'")
    let restored = try await run(["restore", backup] + configuration)
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(restored.errors.contains("History and credits are in postgresql://"), "\(restored.errors)")
    #expect(!FileManager.default.fileExists(atPath: "\(data)/atelier.sqlite"))
    #expect(try await credits(configuration) == before)
  }

  @Test(
    "a whole generation goes through a pooler that gives each connection a session, and none through one that shares them",
    .enabled(if: Pooler.isInstalled, "PgBouncer is not installed"), arguments: Pooler.Mode.allCases)
  func pooler(mode: Pooler.Mode) async throws {
    try #require(try await run(["store", "prepare", "--url", url("postgres"), "--role", service]).status == 0)
    let pooler = try Pooler(mode, before: serverFolder ?? "", users: [service])
    let address = pooler.folder.replacingOccurrences(of: "/", with: "%2F")
    let text = #"{ "store": { "url": "postgresql://\#(service)@\#(address):\#(Pooler.port)/\#(database)" } }"#
    let configuration = ["--config", try directory.write("pooler.json", Array(text.utf8))]
    let made = try await run(["generate", Fixture.path("portraits/astronaut.png"), "--no-output", "--json"] + configuration)
    let doctor = try await run(["doctor"] + configuration)
    if mode == .session {
      #expect(made.status == 0, "\(made.errors)")
      #expect(try await run(["history", "--json"] + configuration).output.contains("gen_"))
      #expect(!doctor.output.contains("pool_mode"), "\(doctor.output)")
    } else {
      #expect(made.status != 0 && made.errors.contains("pool_mode = session"), "\(made.errors)")
      #expect(doctor.status != 0 && doctor.output.contains("pool_mode = session"), "\(doctor.output) \(doctor.errors)")
    }
  }

  @Test(
    "atelier store refuses what it cannot copy, and repeats no password",
    arguments: [
      (["copy", "--from", "/a", "--to", "/b"], "atelier restore"),
      (["copy", "--from", "postgresql://a@b/c", "--to", "postgresql://a@b/d"], "pg_dump"),
      (["copy", "--from", "/a", "--to", "postgresql://a:hush@b/c"], "must not contain the password"),
      (["copy", "--from", "/nothing", "--to", "postgresql://a@localhost/c", "--password-file", "/none"], "password file"),
      (["prepare"], "--url"),
    ])
  func usage(arguments: [String], part: String) async throws {
    let outcome = try await run(["store"] + arguments)
    #expect(outcome.errors.contains(part) && !outcome.errors.contains("hush"), "\(outcome.errors)")
    #expect(outcome.status == 2)
  }

  @Test("a shell completes the generations of the database that the configuration names")
  func completion() async throws {
    let configuration = ["--config", try configuration("postgres")]
    let made = try await run(["generate", Fixture.path("portraits/astronaut.png"), "--no-output", "--json"] + configuration)
    try #require(made.status == 0, "\(made.errors)")
    let history = try await run(["history", "--json"] + configuration)
    let id = try #require(history.output.firstMatch(of: /gen_[0-9A-Za-z]+/)).output
    let words = ["atelier", "show", "--data-dir", data] + configuration + [""]
    let completed = try await Executable.run(
      ["---completion", "show", "--", "positional@0", "\(words.count - 1)", "0"] + words, environment: ["SAP_SHELL": "bash"])
    #expect(completed.output.contains(String(id)), "\(completed.output) \(completed.errors)")
  }
}

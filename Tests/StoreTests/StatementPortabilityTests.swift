import Foundation
import Testing

@testable import Store

/// The folder of the socket of a server that the tests may use; nil where there is none.
private let server = ProcessInfo.processInfo.environment["ATELIER_TEST_POSTGRESQL"]

@Suite("The statements of the store on PostgreSQL", .onlySQLite)
struct StatementPortabilityTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  @Test(
    "every statement, and the tables it needs, are understood by PostgreSQL",
    .enabled(if: server != nil, "no PostgreSQL server was started: see scripts/with-postgresql.sh"))
  func portable() async throws {
    let trace = StatementTrace()
    try await EveryStatement(fixture: fixture, trace: trace).run()
    let others = ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "PRAGMA", "VACUUM"]
    let statements = trace.statements.filter { text in
      // What looks after SQLite's own file, and what a trigger does, which each engine has in its own words.
      !others.contains(where: text.hasPrefix) && !text.contains("sqlite_") && !text.contains(/\b(NEW|OLD)\.\w/)
    }
    #expect(statements.count > 100)
    let database = "atelier_\(UInt64.random(in: 0...UInt64.max))"
    #expect(try run(
      "CREATE DATABASE \(database) TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'", in: "postgres") == [])
    defer { _ = try? run("DROP DATABASE \(database)", in: "postgres") }
    #expect(try run(PostgreSQLSchema.steps.joined(separator: "\n"), in: database) == [])
    // One a line, so that the line of an error tells which it was.
    let lines = statements.map { text in
      "PREPARE one AS \(PostgreSQLText.statement(text).replacing("\n", with: " ")); DEALLOCATE ALL;"
    }
    for (line, error) in try errors(of: lines.joined(separator: "\n"), in: database) {
      Issue.record("\(error)\n\(statements.indices.contains(line - 1) ? statements[line - 1] : "?")")
    }
  }

  /// - Returns: the errors with their lines.
  private func errors(of script: String, in database: String) throws -> [(line: Int, error: String)] {
    try run(script, in: database).compactMap { line in
      guard let match = line.firstMatch(of: /^psql:[^:]*:(\d+): (ERROR:.*)$/) else { return nil }
      return (Int(match.output.1) ?? 0, String(match.output.2))
    }
  }

  /// - Returns: the lines of the errors.
  private func run(_ script: String, in database: String) throws -> [String] {
    let file = try fixture.temporary.write("script.sql", Array(script.utf8))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/psql")
    process.arguments = ["-X", "-q", "-h", server ?? "", "-U", "postgres", "-d", database, "-f", file]
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init).filter { $0.contains("ERROR") }
  }
}

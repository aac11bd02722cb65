import AtelierProtocol
import Foundation
import GRDB
import Testing

@testable import Store

@Suite("The statements of the store", .onlySQLite)
struct StatementPlanTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  /// Why statements may walk through a table, or an index, from one end to the other.
  struct Exception: Hashable {
    /// How the plan's line begins after SCAN.
    var scan: String
    /// A part of the statement; empty for any.
    var statement = ""
    var reason: String
  }

  private static let exceptions = [
    // What is never long.
    Exception(scan: "generation USING INDEX generation_open", reason: "holds what has not ended, which is limited"),
    Exception(scan: "json_each", reason: "a list that the statement was given"),
    Exception(scan: "provider_", reason: "a row for each provider"),
    Exception(scan: "search_span", reason: "a row for some thousands of generations, and all are wanted"),
    Exception(scan: "artifact_sum", reason: "one row"),
    Exception(scan: "file_note", reason: "a row for each file that is being stored"),
    Exception(scan: "file_removal", reason: "a row for each file that is being removed"),
    Exception(scan: "generation_count", reason: "a row for each state"),
    Exception(scan: "generation_tally", reason: "a row for each kind of generation and each step of its duration"),
    Exception(scan: "CONSTANT ROW", reason: "no table"),
    Exception(scan: "2 CONSTANT ROWS", reason: "no table"),
    Exception(scan: "(subquery", reason: "what another line of the plan has found, which is looked at itself"),
    Exception(scan: "numbered", reason: "the transfers of one account, which a subquery finds by their index"),
    Exception(scan: "refunded", reason: "the grants of one purchase"),
    Exception(scan: "origin", reason: "a grant, and those that it replaced one after the other"),
    Exception(scan: "at_work", reason: "the processes that were found, each with a look into an index"),
    Exception(scan: "awaited", reason: "the providers that were found, each with a look into an index"),
    Exception(scan: "found", reason: "what another line of the plan has found, which is looked at itself"),
    Exception(scan: "line", reason: "what waits for each provider, which is counted as a whole"),
    Exception(scan: "placed", reason: "holds what waits, which is numbered as a whole"),
    Exception(scan: "newest", reason: "the newest that a subquery found, as many as are timed"),
    Exception(
      scan: "receipt", statement: "INSERT INTO account ",
      reason: "skipped by SQLite unless a row refers to an account that is not there, which no transaction begins with"),
    Exception(
      scan: "hold", statement: "INSERT INTO account ",
      reason: "skipped by SQLite unless a row refers to an account that is not there, which no transaction begins with"),
    // What ends at a LIMIT, in the order of the index and without a condition.
    Exception(
      scan: "generation USING COVERING INDEX generation_by_time",
      statement: "WHERE TRUE ORDER BY created DESC, id DESC LIMIT ?",
      reason: "a first page of history"),
    Exception(
      scan: "session USING INDEX session_by_time", statement: "WHERE TRUE ORDER BY latest DESC, id DESC LIMIT ?",
      reason: "a first page of sessions"),
    Exception(
      scan: "generation USING INDEX generation_by_time",
      statement: "SELECT * FROM generation ORDER BY created DESC, id DESC LIMIT ?",
      reason: "how long the newest took"),
    // What is asked for by a person, of as many rows as it is about.
    Exception(
      scan: "generation USING INDEX generation_by_time", statement: "WHERE TRUE AND (prompt LIKE",
      reason: "a search in a history of no more rows than one look reads"),
    Exception(scan: "generation_annotation USING INDEX generation_annotation_favorite", reason: "all that is a favourite"),
    Exception(scan: "template_use USING COVERING INDEX", reason: "how often each template was used, as of a row"),
    Exception(
      scan: "artifact", statement: "SELECT name, mime_type, bytes FROM artifact ORDER BY name",
      reason: "doctor looks at every file"),
    Exception(
      scan: "artifact", statement: "SELECT name FROM artifact WHERE NOT EXISTS",
      reason: "doctor looks for what nothing refers to"),
    // Whoever deletes an account waits for all that names it.
    Exception(scan: "hold", statement: "UPDATE account SET id = ?", reason: "an account loses its name"),
    Exception(scan: "receipt", statement: "UPDATE account SET id = ?", reason: "an account loses its name"),
    Exception(scan: "prepared", statement: "DELETE FROM prepared WHERE account = ?", reason: "an account loses its name"),
    Exception(scan: "queued_generation", reason: "holds what waits, which is counted as a whole"),
  ]

  @Test("the statements of the store search and never scan, but for what is named with a reason")
  func plans() async throws {
    let trace = StatementTrace()
    try await EveryStatement(fixture: fixture, trace: trace).run()
    let statements = trace.statements
    #expect(statements.count > 100)
    let database = try DatabaseQueue(path: fixture.directory.database)
    try await database.writeWithoutTransaction { database in
      LedgerTable.addFunctions(to: database)
      #expect(try String.fetchOne(database, sql: "SELECT name FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'") == nil)
      var unused = Set(Self.exceptions)
      for statement in try statements + Self.statementsOfTriggers(in: database) {
        for line in try Self.plan(of: statement, in: database) where line.hasPrefix("SCAN ") {
          let exception = Self.exceptions.first { exception in
            line.dropFirst("SCAN ".count).hasPrefix(exception.scan)
              && (exception.statement.isEmpty || statement.contains(exception.statement))
          }
          if let exception { unused.remove(exception) } else { Issue.record("\(line), in:\n\(statement)") }
        }
      }
      for exception in unused { Issue.record("\(exception.scan) is not scanned for \(exception.reason)") }
    }
  }

  /// - Returns: the lines of its plan; none for what has none.
  private static func plan(of statement: String, in database: Database) throws -> [String] {
    let others = ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "PRAGMA", "VACUUM"]
    if others.contains(where: statement.hasPrefix) { return [] }
    let explanation = try database.makeStatement(sql: "EXPLAIN QUERY PLAN \(statement)")
    // The plan is the same whatever the values are.
    explanation.setUncheckedArguments(StatementArguments())
    return try String.fetchAll(explanation, adapter: RangeRowAdapter(3..<4))
  }

  /// The conditions and the statements of all triggers, with a parameter in place of each column of the row.
  private static func statementsOfTriggers(in database: Database) throws -> [String] {
    let triggers = try String.fetchAll(database, sql: "SELECT sql FROM sqlite_schema WHERE type = 'trigger'")
    return triggers.flatMap { trigger -> [String] in
      let text = trigger.replacing(/\b(NEW|OLD)\.\w+/, with: "?").replacing(/RAISE\(ABORT, '[^']*'\)/, with: "1")
      guard let begin = text.firstRange(of: "BEGIN"), let end = text.ranges(of: "END").last else { return [] }
      let head = text[..<begin.lowerBound]
      let condition = head.firstRange(of: "WHEN").map { "SELECT \(head[$0.upperBound...])" }
      let body = text[begin.upperBound..<end.lowerBound].split(separator: ";").map(String.init)
      return [condition].compactMap(\.self) + body.filter { $0.contains { !$0.isWhitespace } }
    }
  }

  @Test("the statements of the store are all looked at: every public function is called for it")
  func everyFunction() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let calls = try String(
      contentsOf: root.appending(path: "Tests/StoreTests/Support/EveryStatement.swift"), encoding: .utf8)
    let folder = root.appending(path: "Sources/Service/Store")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var names: Set<Substring> = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let source = try String(contentsOf: file, encoding: .utf8)
      for part in source.matches(of: /(?:extension|final class) Store[ :][\s\S]*?\n}\n/).map(\.output) {
        names.formUnion(part.matches(of: /public (?:static )?func (\w+)/).map(\.output.1))
      }
    }
    #expect(names.count > 50)
    for name in names.sorted() { #expect(calls.contains("ore.\(name)("), "Store.\(name) is not called in EveryStatement") }
  }
}

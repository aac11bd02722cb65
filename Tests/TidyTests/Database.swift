import Testing

/// Rules are written for any database: only one folder knows which one it is.
enum Database {
  static func faults(in file: TextFile) -> [Fault] {
    if file.kind != "swift" || file.path.contains("/Engines/SQLite/") { return [] }
    return file.lines.enumerated().compactMap { index, line in
      guard line.hasPrefix("import GRDB") || line.includes(" import GRDB") else { return nil }
      return Fault(
        path: file.path, line: index + 1, remedy: "take `any SQLSession` instead; only Engines/SQLite/ may import GRDB")
    }
  }
}

@Suite("The database")
struct DatabaseTests {
  @Test("GRDB is imported only by what speaks to SQLite")
  func repository() {
    expectNone(Repository.current.sources.flatMap(Database.faults))
  }

  @Test("an import is found outside of its folder", arguments: [
    ("Sources/Service/Store/Store.swift", "import GRDB", 1),
    ("Sources/Service/Store/Store.swift", "@testable import GRDBSQLite", 1),
    ("Sources/Service/Store/Engines/SQLite/A.swift", "import GRDB", 0),
    ("Sources/Service/Store/Store.swift", "import JSON", 0),
  ])
  func examples(path: String, line: String, count: Int) {
    #expect(Database.faults(in: TextFile(path: path, lines: [line])).count == count)
  }
}

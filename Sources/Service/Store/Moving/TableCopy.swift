import Crypto

/// The rows of all tables, read from one database and written into another, whatever their engines. What is written is what
/// was read: no rule of the schema runs meanwhile.
struct TableCopy {
  /// What a table holds: equal sums are equal rows.
  struct Sum: Equatable {
    var rows = 0
    var digest: [UInt8] = []
  }

  /// By the names of the tables.
  typealias Sums = [String: Sum]

  /// Told after each batch: the table, and how many rows of all tables are done.
  var progress: @Sendable (_ table: String, _ rows: Int) -> Void = { _, _ in }

  /// How many bytes of rows are read at once, and at most how many rows.
  private static let pageBytes = 4 << 20
  private static let mostRows = 2_000

  /// Writes the rows of `source` into `target`, whose tables are empty.
  /// - Parameters:
  ///   - words: see ``SchemaTable/insertion(_:)``.
  ///   - flush: called after each batch, so that not all of them wait.
  /// - Returns: what was read.
  func copy(
    from source: any SQLSession, into target: any SQLSession, words: String = "", flush: () throws -> Void = {}
  ) throws -> Sums {
    try read(source) { table, rows in
      let insertion = table.insertion(words)
      for row in rows { try target.run(insertion, SQLValues(row.values)) }
      try flush()
    }
  }

  /// Reads all rows.
  /// - Returns: what is there.
  func sums(of session: any SQLSession) throws -> Sums { try read(session) { _, _ in } }

  private func read(_ session: any SQLSession, _ use: (SchemaTable, [SQLRow]) throws -> Void) throws -> Sums {
    var (sums, total) = (Sums(), 0)
    for table in SchemaTable.all {
      var (sum, hash, limit, last) = (Sum(), SHA256(), 100, SQLValues?.none)
      while true {
        let rows = try session.rows(table.page(after: last, limit: limit))
        guard let end = rows.last else { break }
        let bytes = rows.reduce(0) { $0 + Self.add($1, to: &hash) }
        do {
          try use(table, rows)
        } catch let fault as PostgreSQLFault where fault.remedy == .none {
          throw StoreError(.failed, "Rows of \(table.name) cannot be copied: \(fault.message).")
        }
        sum.rows += rows.count
        total += rows.count
        progress(table.name, total)
        if rows.count < limit { break }
        last = SQLValues(try table.key.map { try end.value($0) })
        limit = min(Self.mostRows, max(1, Self.pageBytes / max(1, bytes / rows.count)))
      }
      sum.digest = Array(hash.finalize())
      sums[table.name] = sum
    }
    return sums
  }

  /// - Returns: how many bytes the row has.
  private static func add(_ row: SQLRow, to hash: inout SHA256) -> Int {
    var bytes: [UInt8] = []
    for value in row.values {
      let (kind, content): (Character, [UInt8]) =
        switch value {
        case .null: ("n", [])
        case .integer(let number): ("i", Array(String(number).utf8))
        case .real(let number): ("r", Array(String(number.bitPattern).utf8))
        case .text(let text): ("t", Array(text.utf8))
        case .bytes(let bytes): ("b", bytes)
        }
      bytes += "\(kind)\(content.count):".utf8
      bytes += content
    }
    hash.update(data: bytes)
    return bytes.count
  }
}

extension TableCopy.Sums {
  /// How many rows all tables have.
  var rows: Int { values.reduce(0) { $0 + $1.rows } }

  /// The first table of which something else is there.
  func firstDifference(from other: Self) -> String? {
    SchemaTable.all.map(\.name).first { self[$0] != other[$0] }
  }
}

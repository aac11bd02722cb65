import AtelierProtocol
import GRDB

extension Store {
  /// How often each template was used (REQUIREMENTS 1.4).
  /// - Parameter last: the number of the last use to count; nil counts all.
  /// - Returns: the uses by template, and the number of the last one counted.
  public func templateUses(upTo last: Int64? = nil) async throws(AtelierError) -> (counts: [String: Int], last: Int64) {
    try await read { database in
      var counts: [String: Int] = [:]
      var seen = last ?? 0
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: "SELECT template, count(*), max(seq) FROM template_use WHERE seq <= ? GROUP BY template"),
        arguments: [last ?? Int64.max])
      while let row = try rows.next() {
        counts[row[0]] = row[1]
        if last == nil { seen = max(seen, row[2]) }
      }
      return (counts, seen)
    }
  }

  /// Counts the use of a template whose generation delivered pictures.
  func countTemplateUse(of row: GenerationRow, endedBy settlement: Settlement, in database: Database) throws {
    guard !settlement.images.isEmpty, settlement.state == .succeeded || settlement.state == .partial,
      let template = row.request["template"]?.string, !template.isEmpty
    else { return }
    try database.cachedStatement(sql: "INSERT INTO template_use (template) VALUES (?)")
      .execute(arguments: [try StoredText.identifier(template)])
  }
}

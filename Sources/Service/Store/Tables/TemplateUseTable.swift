/// The SQL of the table `template_use`.
struct TemplateUseTable {
  let session: any SQLSession

  /// How often a template was used.
  struct Count {
    var template: String
    var uses: Int
    /// The number of its last use.
    var latest: Int64
  }

  /// How often each template was used.
  /// - Parameter last: the number of the last use to count.
  func counts(upTo last: Int64) throws -> [Count] {
    try session.rows(
      "SELECT template, count(*) AS uses, max(seq) AS latest FROM template_use WHERE seq <= ? GROUP BY template", [last]
    ).map { Count(template: try $0.value("template"), uses: try $0.value("uses"), latest: try $0.value("latest")) }
  }

  func insert(_ template: String) throws {
    try session.run("INSERT INTO template_use (template) VALUES (?)", [try StoredText.identifier(template)])
  }
}

extension SQLSession {
  var templateUses: TemplateUseTable { TemplateUseTable(session: self) }
}

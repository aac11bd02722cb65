/// A condition of a statement, with the values of its parameters.
struct SQLCondition: Sendable {
  private(set) var sql = "TRUE"
  private(set) var arguments: SQLValues = []

  /// Adds a condition that must hold as well.
  mutating func require(_ sql: String, _ values: SQLValues = []) {
    self.sql += " AND \(sql)"
    arguments += values
  }
}

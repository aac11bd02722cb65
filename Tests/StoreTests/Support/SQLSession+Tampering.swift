@testable import Store

extension SQLSession {
  /// Adds a rule to the schema.
  func add(_ rule: Trigger) throws {
    try becomeOwner()
    try run(
      TestDatabase.isUsed
        ? "DO $atelier$ BEGIN\n\(PostgreSQLSchema.statement(rule))\nEND $atelier$" : SQLiteSchema.statement(rule))
  }

  func remove(_ rule: Trigger) throws {
    try becomeOwner()
    try run("DROP TRIGGER \(rule.name)" + (TestDatabase.isUsed ? " ON \(rule.table)" : ""))
  }

  /// Lets a table be changed against its rules, and on PostgreSQL against its references as well.
  func disableTriggers(of table: String) throws {
    try becomeOwner()
    if TestDatabase.isUsed { return try run("ALTER TABLE \(table) DISABLE TRIGGER ALL") }
    let triggers = try values(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", [table], as: String.self)
    for trigger in triggers { try run("DROP TRIGGER \(trigger)") }
  }
}

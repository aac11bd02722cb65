/// The schema in the words of SQLite.
enum SQLiteSchema {
  /// The steps from an empty file to the current tables. A released step never changes; a new version adds a step.
  static let steps: [String] = [
    Schema.tables + "\n" + Schema.triggers.map(statement).joined(separator: "\n")
  ]

  /// "Ateh" in ASCII: identifies a database of Atelier.
  static let applicationID: Int32 = 0x4174_6568

  /// "Atel" in ASCII: identifies a database from the time before the first release.
  static let unreleasedApplicationID: Int32 = 0x4174_656C

  static func statement(_ trigger: Trigger) -> String {
    let condition = trigger.condition.map { "WHEN \($0)\n" } ?? ""
    return """
      CREATE TRIGGER \(trigger.name) \(trigger.time.rawValue) \(trigger.event) ON \(trigger.table)
      \(condition)BEGIN
      \(trigger.actions.map(statement).joined(separator: "\n"))
      END;
      """
  }

  private static func statement(_ action: Trigger.Action) -> String {
    switch action {
    case .refuse(let reason, let condition?): "SELECT RAISE(ABORT, '\(reason)') WHERE \(condition);"
    case .refuse(let reason, nil): "SELECT RAISE(ABORT, '\(reason)');"
    case .run(let statement): "\(statement);"
    }
  }
}

/// A rule of the schema that the database itself sees to, in no engine's words: see ``Schema/triggers``.
struct Trigger: Sendable {
  enum Time: String, Sendable { case before = "BEFORE", after = "AFTER" }

  /// What the rule does.
  enum Action: Sendable {
    /// Undoes the statement, where `condition` holds; everywhere without one.
    case refuse(_ reason: String, where: String? = nil)
    /// Changes other rows.
    case run(String)
  }

  var name: String
  var time: Time
  /// `INSERT`, `DELETE`, `UPDATE` or `UPDATE OF column, …`.
  var event: String
  var table: String
  /// For which rows: `OLD` and `NEW` are the row before and after.
  var condition: String?
  var actions: [Action]

  /// Whether it changes other rows.
  var changesRows: Bool {
    actions.contains { if case .run = $0 { true } else { false } }
  }

  init(
    _ name: String, _ time: Time, _ event: String, on table: String, when condition: String? = nil, _ actions: Action...
  ) {
    self.name = name
    self.time = time
    self.event = event
    self.table = table
    self.condition = condition
    self.actions = actions
  }
}

/// What the database looks like: its tables and indexes, which any engine may have, and the triggers of SQLite.
///
/// The tables keep to what every engine understands: an order that matters is a column of its own, a truth is 0 or 1,
/// texts are compared byte by byte, and nothing depends on a type that an engine guesses.
enum Schema {
  /// The steps from an empty file to the current tables. A released step never changes; a new version adds a step.
  static let steps: [String] = [([tables] + triggers).joined(separator: "\n")]

  /// `PRAGMA user_version` of a database that this program wrote.
  static var version: Int { steps.count }

  /// "Ateh" in ASCII: identifies a database of Atelier.
  static let applicationID: Int32 = 0x4174_6568

  /// "Atel" in ASCII: identifies a database from the time before the first release.
  static let unreleasedApplicationID: Int32 = 0x4174_656C

  /// A table comes after those that it refers to.
  static let tables = [
    files, generations, inputs, generationDetails, queue, providers, totals, search, sessions, accounts, ledger, purchases,
    clocks, locations,
  ].joined(separator: "\n")
}

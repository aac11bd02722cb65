/// What the database looks like, for every engine: its tables, its indexes and its rules.
///
/// The tables keep to what every engine understands: an order that matters is a column of its own, a truth is 0 or 1,
/// texts are compared byte by byte, and nothing depends on a type that an engine guesses. They are written in SQLite's
/// words for types, of which each other engine has its own.
enum Schema {
  /// Counts the changes of the tables that were released.
  static let version = 1

  /// A table comes after those that it refers to.
  static let tables = [
    files, generations, inputs, generationDetails, queue, providers, totals, search, sessions, accounts, ledger, purchases,
    clocks, locations, bucket,
  ].joined(separator: "\n")
}

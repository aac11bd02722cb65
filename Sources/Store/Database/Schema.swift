/// The steps from an empty file to today's tables. A step once released never changes; a new version adds one.
enum Schema {
  static let steps: [String] = [version1, version2, version3, version4, version5]

  /// `PRAGMA user_version` of a database that this program wrote.
  static var version: Int { steps.count }
}

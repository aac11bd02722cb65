/// What is wrong with a sentence meant for a person.
enum Sentence {
  /// Words of the machine room: no person can act on them.
  private static let internals = [
    "Optional(", "Error(", "nil", "errno", "SQL", "sqlite", "vips", "/proc", " 0x", "Swift", "stack", "exception",
    "undefined", "NULL", "EACCES", "ENOENT", "ENOSPC", "EROFS", "JSONValue", "internal error",
  ]

  /// - Parameter secrets: texts that must not occur, such as the path of the data directory.
  /// - Returns: empty for a good one.
  static func faults(in text: String, secrets: [String]) -> [String] {
    var faults: [String] = []
    if text.isEmpty { return ["there is no sentence"] }
    if let last = text.last, !".?!".contains(last) { faults.append("it does not end like a sentence") }
    if let first = text.first, !first.isUppercase, !"“/".contains(first) { faults.append("it begins in the middle") }
    if text.contains(where: \.isNewline) { faults.append("it has more than one line") }
    if text.count > 400 { faults.append("it has \(text.count) characters") }
    faults += internals.filter(text.contains).map { "it says “\($0)”" }
    faults += secrets.filter(text.contains).map { "it gives away “\($0)”" }
    return faults
  }
}

import JSON
import Support

/// An example file as a transcript that can be played: what differs from run to run becomes a wild card.
///
/// These members may have any value: times, durations, digests, sizes, versions, the service's own files, and how far a
/// generation is. The ids and cursors that the service makes must be the same in the run wherever they are the same in
/// the file. Everything else is compared as it stands, and nothing more may come.
struct ExampleTranscript {
  /// What stands for something else in the file, and for what in this run.
  let substitutions: [(written: String, meant: String)]

  private static let variable: Set = [
    "timestamp", "until", "date", "day", "sha256", "bytes", "bytesFreed", "memoryBytes", "version", "schemaVersion",
    "sequence", "fraction", "overall", "p50", "p95", "p99", "data",
    // How many files an export has depends on whether thumbnails, which are made after the answer, are there yet.
    "files",
  ]
  /// Made after the answer, so it may come in time for the next one or not.
  private static let late: Set = ["thumbnail"]
  private static let files: Set = ["path", "storedPath"]

  func transcript(of text: String) throws -> Transcript {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines.append(try rewritten(String(line)))
    }
    return try Transcript(parsing: lines.joined(separator: "\n"))
  }

  private func rewritten(_ line: String) throws -> String {
    guard let arrow = ["--> ", "<--* ", "<-- "].first(where: line.hasPrefix) else { return line }
    let message = try JSONValue(parsing: line.dropFirst(arrow.count).utf8)
    let pattern = arrow == "--> " ? sent(message) : expected(message, named: "")
    var text = String(decoding: pattern.serialized(), as: UTF8.self)
    for (written, meant) in substitutions { text = text.replacing(written, with: meant) }
    return arrow + text
  }

  /// A message to the service, with the ids and cursors of this run.
  private func sent(_ value: JSONValue, named name: String = "") -> JSONValue {
    switch value {
    case .string(let text): .string(captured(text, named: name) ?? text)
    case .array(let elements): .array(elements.map { sent($0) })
    case .object(let object): .object(JSONObject(members: object.map { ($0.key, sent($0.value, named: $0.key)) }))
    default: value
    }
  }

  /// The pattern of a message from the service.
  private func expected(_ value: JSONValue, named name: String) -> JSONValue {
    if isVariable(value, named: name) { return "*any*" }
    switch value {
    case .string(let text): return .string(captured(text, named: name) ?? text)
    case .array(let elements): return .array(elements.map { expected($0, named: "") })
    case .object(let object):
      return .object(
        JSONObject(
          members: object.filter { !Self.late.contains($0.key) }.map { ($0.key, expected($0.value, named: $0.key)) }))
    default: return value
    }
  }

  private func isVariable(_ value: JSONValue, named name: String) -> Bool {
    if name.hasSuffix("At") || name.hasSuffix("Since") || name.hasSuffix("Ms") { return true }
    switch value {
    case .object, .array: return false
    case .string(let text):
      return Self.variable.contains(name) || name == "currentPeriod"
        || Self.files.contains(name) && text.contains("/.local/share/atelier/")
    default: return Self.variable.contains(name)
    }
  }

  /// The wild card of an id or a cursor; nil of any other text.
  private func captured(_ text: String, named name: String) -> String? {
    let isCursor = name == "cursor" || name == "nextCursor"
    return isCursor || text.wholeMatch(of: #/(gen|prep|grant|guest)_[0-9a-z]{26}/#) != nil ? "*id:\(text)*" : nil
  }

  /// What came, without what may be late.
  static func withoutLateMembers(_ value: JSONValue) -> JSONValue {
    switch value {
    case .array(let elements): .array(elements.map(withoutLateMembers))
    case .object(let object):
      .object(
        JSONObject(members: object.filter { !late.contains($0.key) }.map { ($0.key, withoutLateMembers($0.value)) }))
    default: value
    }
  }
}

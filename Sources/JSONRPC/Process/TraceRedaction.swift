/// Makes a message fit to be written down: no payload, no secret, nothing long.
struct TraceRedaction: Sendable {
  /// Longer strings are cut to this many characters.
  private static let maximumCharacters = 200

  /// Members that hold encoded images when they hold text at all (PROTOCOL 3).
  private static let payloadMembers: Set<String> = ["data", "thumbnail"]

  private let secretMembers: Set<String>

  init(secretMembers: Set<String>) { self.secretMembers = secretMembers }

  func redacted(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let string): .string(cut(string))
    case .array(let array): .array(array.map(redacted))
    case .object(let object): .object(JSONObject(members: object.map { ($0.key, redacted($0.value, named: $0.key)) }))
    case .null, .bool, .number: value
    }
  }

  private func redacted(_ value: JSONValue, named name: String) -> JSONValue {
    if secretMembers.contains(name) { return "*secret*" }
    if Self.payloadMembers.contains(name), let string = value.string { return "*\(string.utf8.count) bytes*" }
    return redacted(value)
  }

  private func cut(_ string: String) -> String {
    guard string.utf8.count > Self.maximumCharacters else { return string }
    // Scalars, because a single character can be a megabyte of combining marks.
    let kept = String(String.UnicodeScalarView(string.unicodeScalars.prefix(Self.maximumCharacters)))
    return "\(kept)… (\(string.utf8.count) bytes)"
  }
}

/// Why a JSON value could not be read as a type, for the author of the value.
public struct JSONDecodingFailure: Error, Sendable, Hashable {
  /// Where, as a JSON Pointer (RFC 6901): "/style/angle"; empty for the whole value.
  public var path: String
  /// What is expected there, to follow "must be": "an integer from 1 to 4".
  public var expected: String
  /// One sentence that says both.
  public var message: String

  public init(path: String, expected: String, message: String) {
    self.path = path
    self.expected = expected
    self.message = message
  }

  /// The value at `path` is not what was wanted.
  init(at path: JSONPath, expected: String, found value: JSONValue) {
    // "…must be an object with a name, not an object" would say nothing.
    let found = expected.hasPrefix(value.glimpse) ? "" : ", not \(value.glimpse)"
    self.init(path: path.pointer, expected: expected, message: "\(path.subject) must be \(expected)\(found).")
  }

  /// The member at `path` is required and absent.
  init(missing path: JSONPath, expected: String) {
    self.init(path: path.pointer, expected: expected, message: "\(path.subject) is missing; it must be \(expected).")
  }

  /// The member at `path` is none that anybody reads.
  init(unknown path: JSONPath, known: some Collection<String>) {
    let names = known.sorted().joined(separator: ", ")
    let expected = known.isEmpty ? "no members" : "only the members \(names)"
    self.init(
      path: path.pointer, expected: expected,
      message: "\(path.subject) is not a known member; \(known.isEmpty ? "none are" : "known are \(names)").")
  }
}

extension JSONValue {
  /// The value in a few words: small ones as they are, others by kind.
  fileprivate var glimpse: String {
    switch self {
    case .number(let number) where number.text.utf8.count <= 40: number.text
    case .bool(let bool): bool ? "true" : "false"
    case .string(let string): string.utf8.count <= 40 ? serializedText : "a string of \(string.unicodeScalars.count) characters"
    default: kindDescription
    }
  }
}

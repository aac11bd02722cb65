/// The path from the root of a JSON value to a part of it; cheap to extend, formatted only when an error is reported.
final class JSONPath: Sendable {
  private let parent: JSONPath?
  private let key: (any CodingKey)?

  static let root = JSONPath(parent: nil, key: nil)

  private init(parent: JSONPath?, key: (any CodingKey)?) {
    self.parent = parent
    self.key = key
  }

  func appending(_ key: any CodingKey) -> JSONPath { JSONPath(parent: self, key: key) }

  var codingPath: [any CodingKey] {
    var keys: [any CodingKey] = []
    var current: JSONPath? = self
    while let path = current {
      if let key = path.key { keys.append(key) }
      current = path.parent
    }
    return keys.reversed()
  }

  /// The path as a JSON Pointer (RFC 6901).
  var pointer: String {
    codingPath.map { key in
      var token = "/"
      for scalar in (key.intValue.map(String.init) ?? key.stringValue).unicodeScalars {
        switch scalar {
        case "~": token += "~0"
        case "/": token += "~1"
        default: token.unicodeScalars.append(scalar)
        }
      }
      return token
    }.joined()
  }

  /// The path as the subject of a sentence.
  var subject: String { parent == nil ? "The value" : pointer }
}

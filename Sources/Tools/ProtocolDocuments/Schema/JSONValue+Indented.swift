import JSON

extension JSONValue {
  private static let lineLength = 100

  /// The value as a document for people: two spaces a level, members in their order, short simple parts on one line.
  public func indented() -> String { indented(by: 0) + "\n" }

  private func indented(by indent: Int) -> String {
    if let line = simpleLine, indent + line.utf8.count <= Self.lineLength { return line }
    let inner = String(repeating: " ", count: indent + 2)
    let outer = String(repeating: " ", count: indent)
    switch self {
    case .array(let elements):
      let lines = elements.map { inner + $0.indented(by: indent + 2) }
      return "[\n" + lines.joined(separator: ",\n") + "\n" + outer + "]"
    case .object(let object):
      let lines = object.map { inner + Self.text($0.key) + ": " + $0.value.indented(by: indent + 2) }
      return "{\n" + lines.joined(separator: ",\n") + "\n" + outer + "}"
    default: return compact
    }
  }

  /// The value on one line, when nothing in it has parts of its own.
  private var simpleLine: String? {
    switch self {
    case .array(let elements):
      guard elements.allSatisfy(\.isSimple) else { return nil }
      return "[" + elements.map(\.compact).joined(separator: ", ") + "]"
    case .object(let object):
      guard object.count <= 2, object.allSatisfy({ $0.value.isSimple }) else { return nil }
      return object.isEmpty
        ? "{}" : "{ " + object.map { Self.text($0.key) + ": " + $0.value.compact }.joined(separator: ", ") + " }"
    default: return compact
    }
  }

  private var isSimple: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  private var compact: String { String(decoding: serialized(), as: UTF8.self) }

  private static func text(_ string: String) -> String { JSONValue.string(string).compact }
}

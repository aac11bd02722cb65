import Encodings
import JSON

/// The text of a configuration file, to be read and changed member by member.
struct ConfigurationDocument {
  private(set) var value: JSONValue

  /// - Throws: `CommandFailure` when the text is no JSON; what it means is not checked.
  init(_ bytes: [UInt8], path: String) throws {
    do {
      value = try JSONValue(parsing: try SavedText.withoutMark(bytes))
    } catch let error as SavedText.OtherEncoding {
      throw CommandFailure(sentence: "“\(path.onOneLine)” \(error.problem)")
    } catch let error as JSONSyntaxError {
      let position = JSONLines(bytes).position(at: error.offset)
      throw CommandFailure(sentence: "\(path.onOneLine):\(position.line):\(position.column): \(error.message)")
    }
  }

  /// A file without a member.
  init() { value = [:] }

  /// The value at a dotted path, such as `queue.attempts` or `credits.products.0.id`; nil where there is none.
  func value(at key: String) -> JSONValue? {
    Self.names(of: key).reduce(Optional(value)) { parent, name in
      guard let parent else { return nil }
      return Int(name).flatMap { parent[$0] } ?? parent[name]
    }
  }

  /// Sets the value at a dotted path, and makes the objects above it where they are missing. The other members keep their
  /// values and their order.
  /// - Throws: `CommandFailure` when the path leads through something that is no object, or beyond the end of a list.
  mutating func set(_ new: JSONValue, at key: String) throws {
    value = try Self.setting(new, at: Self.names(of: key)[...], in: value, of: key)
  }

  private static func names(of key: String) -> [String] {
    key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  private static func setting(
    _ new: JSONValue, at names: ArraySlice<String>, in parent: JSONValue?, of key: String
  ) throws -> JSONValue {
    guard let name = names.first else { return new }
    switch parent {
    case .object(var members):
      members[name] = try setting(new, at: names.dropFirst(), in: members[name], of: key)
      return .object(members)
    case nil:
      return .object([name: try setting(new, at: names.dropFirst(), in: nil, of: key)])
    case .array(var elements):
      guard let index = Int(name), (0...elements.count).contains(index) else {
        throw CommandFailure(
          sentence: "“\(name)” in \(key) is no place in a list of \(elements.count): number its places from 0.",
          status: CommandFailure.wrongUsage)
      }
      let element = try setting(
        new, at: names.dropFirst(), in: index < elements.count ? elements[index] : nil, of: key)
      if index < elements.count { elements[index] = element } else { elements.append(element) }
      return .array(elements)
    case let other?:
      throw CommandFailure(
        sentence: "\(key) leads through \(other.kindDescription), which has no “\(name)”.",
        status: CommandFailure.wrongUsage)
    }
  }

  /// As it is written into the file.
  var bytes: [UInt8] { Array((value.indentedText + "\n").utf8) }
}

extension JSONValue {
  /// JSON for people: a member in each line; short lists and empty objects in one line.
  var indentedText: String { indented("") }

  private func indented(_ margin: String) -> String {
    let inner = margin + "  "
    switch self {
    case .object(let members) where !members.isEmpty:
      let lines = members.map { "\(inner)\(JSONValue.string($0.key).serializedText): \($0.value.indented(inner))" }
      return "{\n\(lines.joined(separator: ",\n"))\n\(margin)}"
    case .array(let elements) where elements.contains { $0.object != nil || $0.array != nil }:
      return "[\n\(elements.map { inner + $0.indented(inner) }.joined(separator: ",\n"))\n\(margin)]"
    case .array(let elements):
      return "[\(elements.map(\.serializedText).joined(separator: ", "))]"
    default: return serializedText
    }
  }
}

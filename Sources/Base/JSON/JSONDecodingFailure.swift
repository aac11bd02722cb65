import Encodings

/// Why a JSON value could not be decoded as a type, written for the author of the value.
public struct JSONDecodingFailure: Error, Sendable, Hashable {
  /// The location as a JSON Pointer (RFC 6901): "/style/angle"; empty for the whole value.
  public var path: String
  /// What is expected there, phrased to follow "must be": "an integer from 1 to 4".
  public var expected: String
  /// One sentence that states both.
  public var message: String

  public init(path: String, expected: String, message: String) {
    self.path = path
    self.expected = expected
    self.message = message
  }

  /// The value at `path` is not what is expected.
  init(at path: JSONPath, expected: String, found value: JSONValue) {
    // "…must be an object with a name, not an object" would be no help.
    let found = expected.hasPrefix(value.glimpse) ? "" : ", not \(value.glimpse)"
    self.init(path: path.pointer, expected: expected, message: "\(path.subject) must be \(expected)\(found).")
  }

  /// The required member at `path` is missing.
  init(missing path: JSONPath, expected: String) {
    self.init(path: path.pointer, expected: expected, message: "\(path.subject) is missing; it must be \(expected).")
  }

  /// The member at `path` is unknown.
  init(unknown path: JSONPath, known: some Collection<String>) {
    let names = known.sorted().joined(separator: ", ")
    let expected = known.isEmpty ? "no members" : "only the members \(names)"
    self.init(
      path: path.pointer, expected: expected,
      message: "\(path.subject) is not a known member; \(known.isEmpty ? "none are" : "known are \(names)").")
  }
}

extension JSONValue {
  /// The value in a few words: short values verbatim, others by kind.
  fileprivate var glimpse: String {
    switch self {
    case .number(let number) where number.text.utf8.count <= 40: number.text
    case .bool(let bool): bool ? "true" : "false"
    case .string(let string):
      string.utf8.count <= 40 ? serializedText : "a string of \(string.unicodeScalars.count) characters"
    default: kindDescription
    }
  }
}

/// What a type asked for while it decoded one value and the values inside it.
///
/// A type reveals the members it knows only by asking for them, so unknown members are found afterwards: members that
/// are present and were never asked for. Used only by the one call of `decode` that made it, and not `Sendable`.
final class JSONDecodingRecord {
  private let path: JSONPath
  /// The object, if the value was decoded member by member.
  private var object: JSONObject?
  private var asked: Set<ExactText> = []
  private var isOpen = false
  private var children: [JSONDecodingRecord] = []

  init(path: JSONPath) { self.path = path }

  func opened(_ object: JSONObject) { self.object = object }
  func asked(for key: String) { asked.insert(ExactText(key)) }

  /// Marks every name as known, as in a dictionary.
  func askedForAllKeys() { isOpen = true }

  /// Adds the record of a value inside this one, once it is decoded successfully: what a failed attempt asked for does
  /// not show which members are known.
  func add(_ child: JSONDecodingRecord) { children.append(child) }

  /// The first member that was never asked for; `_meta` is allowed anywhere.
  func firstUnknownMember() -> JSONDecodingFailure? {
    if let object, !isOpen {
      for (key, _) in object where key != "_meta" && !asked.contains(ExactText(key)) {
        return JSONDecodingFailure(unknown: path.appending(JSONKey(stringValue: key)), known: asked.map(\.text))
      }
    }
    for child in children {
      if let failure = child.firstUnknownMember() { return failure }
    }
    return nil
  }
}

/// Describes in words what a type decodes, for messages about missing or wrong values.
enum JSONExpectedValue {
  /// - Returns: nil when the type alone does not determine it.
  static func description(of type: any Any.Type) -> String? {
    switch type {
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is Double.Type, is Float.Type, is JSONNumber.Type: "a number"
    case is Int.Type, is Int64.Type: "an integer"
    case is JSONObject.Type: "an object"
    case is JSONValue.Type: "a value"
    default: description(ofInteger: type) ?? description(ofCases: type) ?? description(ofContainer: type)
    }
  }

  /// What a type decodes, for a missing value: taken from the error that the type throws for null.
  static func description(ofMissing type: any Any.Type, at path: JSONPath) -> String {
    if let description = description(of: type) { return description }
    guard let decodable = type as? any Decodable.Type else { return "a value" }
    let decoding = JSONDecoding(value: .null, path: path, record: JSONDecodingRecord(path: path))
    do {
      _ = try decoding.decode(decodable)
      return "a value"
    } catch {
      return error.path == path.pointer ? error.expected : "a value"
    }
  }

  private static func description(ofInteger type: any Any.Type) -> String? {
    guard let integer = type as? any FixedWidthInteger.Type else { return nil }
    return range(of: integer)
  }

  private static func range<T: FixedWidthInteger>(of type: T.Type) -> String { "an integer from \(T.min) to \(T.max)" }

  private static func description(ofCases type: any Any.Type) -> String? {
    guard let cases = type as? any (CaseIterable & RawRepresentable).Type else { return nil }
    return list(of: cases)
  }

  private static func list<T: CaseIterable & RawRepresentable>(of type: T.Type) -> String {
    let names = T.allCases.map { "\($0.rawValue)" }
    guard let last = names.last, names.count > 1 else { return names.first ?? "a known value" }
    return names.dropLast().joined(separator: ", ") + " or \(last)"
  }

  private static func description(ofContainer type: any Any.Type) -> String? {
    if let raw = type as? any RawRepresentable.Type { return rawDescription(of: raw) }
    if type is any JSONArrayLike.Type { return "an array" }
    if type is any JSONDictionaryLike.Type { return "an object" }
    return nil
  }

  private static func rawDescription<T: RawRepresentable>(of type: T.Type) -> String? {
    description(of: T.RawValue.self)
  }
}

private protocol JSONArrayLike {}
extension Array: JSONArrayLike {}
extension Set: JSONArrayLike {}

private protocol JSONDictionaryLike {}
extension Dictionary: JSONDictionaryLike {}

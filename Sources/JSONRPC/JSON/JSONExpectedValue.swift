/// What a type reads, in words, for sentences about values that are missing or wrong.
enum JSONExpectedValue {
  /// - Returns: nil when the type alone does not tell.
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

  /// What a type reads, when there is nothing to read: as the type itself complains about null.
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

/// Any JSON value (RFC 8259), as it was written: numbers keep their text, objects keep the order of their members.
public enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue {
  /// The text, when this is a string.
  public var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  /// The truth value, when this is `true` or `false`.
  public var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// The elements, when this is an array.
  public var array: [JSONValue]? {
    if case .array(let array) = self { array } else { nil }
  }

  /// The members, when this is an object.
  public var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The number with its exact text, when this is a number.
  public var number: JSONNumber? {
    if case .number(let number) = self { number } else { nil }
  }

  /// The integer, when this is a number of integral value within the range of `Int64`.
  public var int64: Int64? { number?.int64 }

  /// The nearest floating-point value, when this is a number that has a finite one.
  public var double: Double? {
    guard let double = number?.double, double.isFinite else { return nil }
    return double
  }

  /// True for `null`.
  public var isNull: Bool { self == .null }

  /// The member named `key`; nil when there is none or this is not an object.
  public subscript(key: String) -> JSONValue? { object?[key] }

  /// The element at `index`; nil when there is none or this is not an array.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let array) = self, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// What kind of value this is, for sentences: "a string", "an array" …
  public var kindDescription: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

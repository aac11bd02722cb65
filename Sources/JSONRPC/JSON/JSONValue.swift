/// Any JSON value (RFC 8259), as it was written: numbers keep their text, objects keep the order of their members.
///
/// Two values are equal when they are written the same, the order of members aside: texts byte by byte, numbers digit by
/// digit.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue: Hashable {
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): ExactText.areSame(left, right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let bool): hasher.combine(bool)
    case .number(let number): hasher.combine(number)
    case .string(let string): ExactText.hash(string, into: &hasher)
    case .array(let array): hasher.combine(array)
    case .object(let object): hasher.combine(object)
    }
  }
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

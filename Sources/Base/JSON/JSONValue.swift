import Encodings

/// Any JSON value (RFC 8259), as written: numbers keep their text, objects keep the order of their members.
///
/// Two values are equal when they are written the same, except for the order of members: strings are compared byte by
/// byte, numbers digit by digit.
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

  /// The Boolean, when this is `true` or `false`.
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

  /// The nearest floating-point value, when this is a number and that value is finite.
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

  /// The kind of this value, for sentences: "a string", "an array" …
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

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self = .null }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }

  /// A literal that overflows to infinity has no JSON form and becomes `null`, as in JavaScript.
  public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSONValue.number) ?? .null }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// If a key occurs twice, the last one wins, as in parsing.
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(members: elements)) }
}

/// The coders of this module copy JSON inside Codable types verbatim. The code here serves any other coder, with which
/// numbers lose their text and objects their order.
extension JSONValue: Codable {
  public init(from decoder: any Decoder) throws {
    if let decoding = decoder as? JSONDecoding {
      self = decoding.value
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? container.decode(Int64.self) {
      self = .number(JSONNumber(integer))
    } else if let double = try? container.decode(Double.self), let number = JSONNumber(double) {
      self = .number(number)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let array = try? container.decode([JSONValue].self) {
      self = .array(array)
    } else {
      let members = try container.decode([String: JSONValue].self)
      self = .object(JSONObject(members: members.map { ($0.key, $0.value) }))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if let encoding = encoder as? JSONEncoding {
      encoding.node.content = .value(self)
      return
    }
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let bool): try container.encode(bool)
    case .number(let number):
      if let integer = number.int64 { try container.encode(integer) } else { try container.encode(number.double) }
    case .string(let string): try container.encode(string)
    case .array(let array): try container.encode(array)
    case .object(let object):
      try container.encode(Dictionary(object.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
    }
  }
}

extension JSONObject: Codable {
  public init(from decoder: any Decoder) throws {
    guard case .object(let object) = try JSONValue(from: decoder) else { throw JSONExpectation("an object") }
    self = object
  }

  public func encode(to encoder: any Encoder) throws { try JSONValue.object(self).encode(to: encoder) }
}

extension JSONNumber: Codable {
  public init(from decoder: any Decoder) throws {
    guard case .number(let number) = try JSONValue(from: decoder) else { throw JSONExpectation("a number") }
    self = number
  }

  public func encode(to encoder: any Encoder) throws { try JSONValue.number(self).encode(to: encoder) }
}

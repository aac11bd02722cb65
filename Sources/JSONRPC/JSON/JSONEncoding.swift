/// The encoder for one value at one place.
struct JSONEncoding: Encoder {
  let node: JSONEncodingNode
  let path: JSONPath

  var codingPath: [any CodingKey] { path.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeObject()
    return KeyedEncodingContainer(JSONKeyedEncodingContainer(node: node, path: path))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeArray()
    return JSONUnkeyedEncodingContainer(node: node, path: path)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { JSONSingleValueEncodingContainer(encoding: self) }

  /// Whatever has a function of its own below comes here only as a generic argument.
  func encode<T: Encodable>(_ value: T) throws {
    // Types are compared before anything is cast: casts that fail would cost more than the encoding.
    if T.self == String.self, let string = value as? String {
      encode(string)
    } else if T.self == JSONValue.self, let value = value as? JSONValue {
      node.content = .value(value)
    } else if T.self == Int.self, let integer = value as? Int {
      encode(integer: integer)
    } else if T.self == Int64.self, let integer = value as? Int64 {
      encode(integer: integer)
    } else if T.self == Bool.self, let bool = value as? Bool {
      encode(bool)
    } else if T.self == Double.self, let double = value as? Double {
      try encode(floating: double)
    } else if T.self == Float.self, let float = value as? Float {
      try encode(floating: float)
    } else {
      // Integers of other widths write themselves to a container for one value, which knows them.
      try value.encode(to: self)
    }
  }

  func encode(_ string: String) { node.content = .value(.string(string)) }
  func encode(_ bool: Bool) { node.content = .value(.bool(bool)) }
  func encode(integer: some FixedWidthInteger) { node.content = .value(.number(JSONNumber(integer))) }
  func encodeNil() { node.content = .value(.null) }

  func encode(floating value: some BinaryFloatingPoint & LosslessStringConvertible) throws {
    // A Float is written with its own shortest digits: 0.1, not 0.10000000149011612.
    guard value.isFinite, let number = JSONNumber(Double(value.description) ?? .nan) else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: codingPath, debugDescription: "JSON has no way to write \(value)."))
    }
    node.content = .value(.number(number))
  }
}

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

  func encode<T: Encodable>(_ value: T) throws {
    switch value {
    case let value as JSONValue: node.content = .value(value)
    case let string as String: node.content = .value(.string(string))
    case let bool as Bool: node.content = .value(.bool(bool))
    case let double as Double: try encode(floating: double)
    case let float as Float: try encode(floating: float)
    case let integer as any FixedWidthInteger: node.content = .value(.number(Self.number(integer)))
    default: try value.encode(to: self)
    }
  }

  func encodeNil() { node.content = .value(.null) }

  private static func number(_ integer: some FixedWidthInteger) -> JSONNumber { JSONNumber(integer) }

  private func encode(floating value: some BinaryFloatingPoint & LosslessStringConvertible) throws {
    // A Float is written with its own shortest digits: 0.1, not 0.10000000149011612.
    guard value.isFinite, let number = JSONNumber(Double(value.description) ?? .nan) else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: codingPath, debugDescription: "JSON has no way to write \(value)."))
    }
    node.content = .value(.number(number))
  }
}

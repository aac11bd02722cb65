/// The members of one object, while a type writes them.
struct JSONKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONEncodingNode
  let path: JSONPath

  var codingPath: [any CodingKey] { path.codingPath }

  func encodeNil(forKey key: Key) throws { member(key).encodeNil() }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try member(key).encode(value) }

  // The most frequent members, told apart by the compiler instead of at run time.
  func encode(_ value: String, forKey key: Key) throws { node.member(key.stringValue).content = .value(.string(value)) }
  func encode(_ value: Bool, forKey key: Key) throws { node.member(key.stringValue).content = .value(.bool(value)) }
  func encode(_ value: Int, forKey key: Key) throws { member(key).encode(integer: value) }
  func encode(_ value: Int64, forKey key: Key) throws { member(key).encode(integer: value) }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { member(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { member(JSONKey.superKey) }
  func superEncoder(forKey key: Key) -> any Encoder { member(key) }

  private func member(_ key: some CodingKey) -> JSONEncoding {
    JSONEncoding(node: node.member(key.stringValue), path: path.appending(key))
  }
}

/// The elements of one array, while a type writes them.
struct JSONUnkeyedEncodingContainer: UnkeyedEncodingContainer {
  let node: JSONEncodingNode
  let path: JSONPath

  var codingPath: [any CodingKey] { path.codingPath }
  var count: Int { node.elementCount }

  func encodeNil() throws { element().encodeNil() }
  func encode<T: Encodable>(_ value: T) throws { try element().encode(value) }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
    element().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
  func superEncoder() -> any Encoder { element() }

  private func element() -> JSONEncoding {
    let key = JSONKey(intValue: count)
    return JSONEncoding(node: node.element(), path: path.appending(key))
  }
}

/// One value written as a whole.
struct JSONSingleValueEncodingContainer: SingleValueEncodingContainer {
  let encoding: JSONEncoding

  var codingPath: [any CodingKey] { encoding.codingPath }

  func encodeNil() throws { encoding.encodeNil() }
  func encode<T: Encodable>(_ value: T) throws { try encoding.encode(value) }
}

/// One value written as a whole.
struct JSONSingleValueEncodingContainer: SingleValueEncodingContainer {
  let encoding: JSONEncoding

  var codingPath: [any CodingKey] { encoding.codingPath }

  func encodeNil() throws { encoding.encodeNil() }
  func encode<T: Encodable>(_ value: T) throws { try encoding.encode(value) }

  // Without these the standard library would hand each of them to the function above, and it back to them.
  func encode(_ value: String) throws { encoding.encode(value) }
  func encode(_ value: Bool) throws { encoding.encode(value) }
  func encode(_ value: Int) throws { encoding.encode(integer: value) }
  func encode(_ value: Int8) throws { encoding.encode(integer: value) }
  func encode(_ value: Int16) throws { encoding.encode(integer: value) }
  func encode(_ value: Int32) throws { encoding.encode(integer: value) }
  func encode(_ value: Int64) throws { encoding.encode(integer: value) }
  func encode(_ value: UInt) throws { encoding.encode(integer: value) }
  func encode(_ value: UInt8) throws { encoding.encode(integer: value) }
  func encode(_ value: UInt16) throws { encoding.encode(integer: value) }
  func encode(_ value: UInt32) throws { encoding.encode(integer: value) }
  func encode(_ value: UInt64) throws { encoding.encode(integer: value) }
  func encode(_ value: Double) throws { try encoding.encode(floating: value) }
  func encode(_ value: Float) throws { try encoding.encode(floating: value) }
}

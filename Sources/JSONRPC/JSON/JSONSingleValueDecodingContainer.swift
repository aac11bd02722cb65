/// One value read as a whole.
struct JSONSingleValueDecodingContainer: SingleValueDecodingContainer {
  let decoding: JSONDecoding

  var codingPath: [any CodingKey] { decoding.codingPath }

  func decodeNil() -> Bool { decoding.value.isNull }
  func decode(_ type: Bool.Type) throws -> Bool { try decoding.bool() }
  func decode(_ type: String.Type) throws -> String { try decoding.string() }
  func decode(_ type: Double.Type) throws -> Double { try decoding.double() }
  func decode(_ type: Float.Type) throws -> Float { try decoding.float() }
  func decode(_ type: Int.Type) throws -> Int { try decoding.integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try decoding.integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try decoding.integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try decoding.integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try decoding.integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try decoding.integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try decoding.integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try decoding.integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try decoding.integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try decoding.integer(type) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoding.decode(type) }
}

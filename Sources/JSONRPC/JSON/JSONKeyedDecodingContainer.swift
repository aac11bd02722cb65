/// The members of one object, while a type reads them.
struct JSONKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONObject
  let path: JSONPath
  let record: JSONDecodingRecord

  var codingPath: [any CodingKey] { path.codingPath }

  var allKeys: [Key] {
    record.askedForAllKeys()
    return object.keys.compactMap(Key.init(stringValue:))
  }

  func contains(_ key: Key) -> Bool {
    record.asked(for: key.stringValue)
    return object[key.stringValue] != nil
  }

  func decodeNil(forKey key: Key) throws -> Bool {
    record.asked(for: key.stringValue)
    return object[key.stringValue]?.isNull ?? true
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoding(key, type).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoding(key, type).string() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoding(key, type).double() }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoding(key, type).float() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoding(key, type).integer(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoding(key, type).integer(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try decoding(key, type).integer(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoding(key, type).integer(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try decoding(key, type).integer(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoding(key, type).integer(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try decoding(key, type).integer(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try decoding(key, type).integer(type) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try decoding(key, type).integer(type) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try decoding(key, type).integer(type) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let decoding = try decoding(key, type)
    let result = try decoding.decode(type)
    record.add(decoding.record)
    return result
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try kept(decoding(key, JSONObject.self)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try kept(decoding(key, [JSONValue].self)).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { kept(try decoding(JSONKey.superKey, JSONValue.self)) }
  func superDecoder(forKey key: Key) throws -> any Decoder { kept(try decoding(key, JSONValue.self)) }

  private func kept(_ decoding: JSONDecoding) -> JSONDecoding {
    record.add(decoding.record)
    return decoding
  }

  private func decoding(_ key: some CodingKey, _ type: any Any.Type) throws(JSONDecodingFailure) -> JSONDecoding {
    record.asked(for: key.stringValue)
    let path = path.appending(key)
    guard let value = object[key.stringValue] else {
      throw JSONDecodingFailure(missing: path, expected: JSONExpectedValue.description(ofMissing: type, at: path))
    }
    return JSONDecoding(value: value, path: path, record: JSONDecodingRecord(path: path))
  }
}

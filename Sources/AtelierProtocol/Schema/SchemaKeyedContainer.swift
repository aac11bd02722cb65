import JSONRPC

/// The members of one type, while they are recorded.
struct SchemaKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let recording: SchemaRecording

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { true }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    recording.add(key, type, isRequired: true)
    return try recording.placeholder(type)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { optional(type, key) }

  // The standard library asks for each of these types by a method of its own.
  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { optional(type, key) }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { optional(type, key) }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { optional(type, key) }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { optional(type, key) }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { optional(type, key) }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { optional(type, key) }

  private func optional<T: Decodable>(_ type: T.Type, _ key: Key) -> T? {
    recording.add(key, type, isRequired: false)
    return nil
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    throw unsupported
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw unsupported }
  func superDecoder() throws -> any Decoder { throw unsupported }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw unsupported }

  private var unsupported: JSONExpectation { JSONExpectation("members that are types of their own") }
}

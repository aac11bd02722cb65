/// The elements of one array, while a type reads them one after another.
struct JSONUnkeyedDecodingContainer: UnkeyedDecodingContainer {
  let array: [JSONValue]
  let path: JSONPath
  let record: JSONDecodingRecord
  private(set) var currentIndex = 0

  init(array: [JSONValue], path: JSONPath, record: JSONDecodingRecord) {
    self.array = array
    self.path = path
    self.record = record
  }

  var codingPath: [any CodingKey] { path.codingPath }
  var count: Int? { array.count }
  var isAtEnd: Bool { currentIndex >= array.count }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, array[currentIndex].isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let decoding = try next(type)
    let result = try decoding.decode(type)
    advance(keeping: decoding)
    return result
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    let decoding = try next(JSONObject.self)
    advance(keeping: decoding)
    return try decoding.container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let decoding = try next([JSONValue].self)
    advance(keeping: decoding)
    return try decoding.unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoding = try next(JSONValue.self)
    advance(keeping: decoding)
    return decoding
  }

  private mutating func advance(keeping decoding: JSONDecoding) {
    record.add(decoding.record)
    currentIndex += 1
  }

  private func next(_ type: any Any.Type) throws(JSONDecodingFailure) -> JSONDecoding {
    let path = path.appending(JSONKey(intValue: currentIndex))
    guard !isAtEnd else {
      throw JSONDecodingFailure(missing: path, expected: JSONExpectedValue.description(ofMissing: type, at: path))
    }
    return JSONDecoding(value: array[currentIndex], path: path, record: JSONDecodingRecord(path: path))
  }
}

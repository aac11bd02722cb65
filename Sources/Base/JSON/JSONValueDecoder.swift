/// Decodes Codable types from JSON values, and reports exactly what is wrong and where.
///
/// Integers are exact and range-checked; `1.0` is an integer, `1.5` is not. `JSONValue`, `JSONObject` and
/// `JSONNumber` inside a type are copied verbatim.
public struct JSONValueDecoder: Sendable {
  /// How to treat members that the type never asks for.
  public enum UnknownMembers: Sendable {
    /// They are an error, except `_meta`.
    case reject
    case ignore
  }

  private let unknownMembers: UnknownMembers

  public init(unknownMembers: UnknownMembers) {
    self.unknownMembers = unknownMembers
  }

  /// Decodes `value` as a `T`.
  /// - Throws: ``JSONDecodingFailure`` with the JSON Pointer of the invalid part and what is expected there.
  public func decode<T: Decodable>(
    _ type: T.Type = T.self, from value: JSONValue
  ) throws(JSONDecodingFailure) -> T {
    let record = JSONDecodingRecord(path: .root)
    let result = try JSONDecoding(value: value, path: .root, record: record).decode(type)
    if unknownMembers == .reject, let failure = record.firstUnknownMember() { throw failure }
    return result
  }
}

/// The decoder for one value at one path.
struct JSONDecoding: Decoder {
  let value: JSONValue
  let path: JSONPath
  let record: JSONDecodingRecord

  var codingPath: [any CodingKey] { path.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = value else { throw mismatch("an object") }
    record.opened(object)
    return KeyedDecodingContainer(JSONKeyedDecodingContainer(object: object, path: path, record: record))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let array) = value else { throw mismatch("an array") }
    return JSONUnkeyedDecodingContainer(array: array, path: path, record: record)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    JSONSingleValueDecodingContainer(decoding: self)
  }

  func mismatch(_ expected: String) -> JSONDecodingFailure {
    JSONDecodingFailure(at: path, expected: expected, found: value)
  }

  /// Decodes the value as a `T`; adds the path and the message to every kind of error.
  func decode<T: Decodable>(_ type: T.Type) throws(JSONDecodingFailure) -> T {
    if let verbatim = verbatim(type) { return verbatim }
    do {
      return try T(from: self)
    } catch let failure as JSONDecodingFailure {
      throw failure
    } catch let expectation as JSONExpectation {
      throw mismatch(expectation.expected)
    } catch DecodingError.keyNotFound(let key, _) {
      throw JSONDecodingFailure(missing: path.appending(key), expected: "a value")
    } catch {
      throw mismatch(JSONExpectedValue.description(of: type) ?? "a valid value")
    }
  }

  private func verbatim<T>(_ type: T.Type) -> T? {
    if type == JSONValue.self { return value as? T }
    if type == JSONObject.self { return value.object as? T }
    if type == JSONNumber.self { return value.number as? T }
    if type == String.self { return value.string as? T }
    return nil
  }

  func bool() throws(JSONDecodingFailure) -> Bool {
    guard let bool = value.bool else { throw mismatch("true or false") }
    return bool
  }

  func string() throws(JSONDecodingFailure) -> String {
    guard let string = value.string else { throw mismatch("a string") }
    return string
  }

  func double() throws(JSONDecodingFailure) -> Double {
    guard let double = value.double else { throw mismatch("a number") }
    return double
  }

  func float() throws(JSONDecodingFailure) -> Float {
    let float = Float(try double())
    guard float.isFinite else { throw mismatch("a number of at most \(Float.greatestFiniteMagnitude)") }
    return float
  }

  func integer<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws(JSONDecodingFailure) -> T {
    guard let integer = value.number?.integer(as: type) else {
      throw mismatch(JSONExpectedValue.description(of: type) ?? "an integer")
    }
    return integer
  }
}

/// The members of one object, while a type decodes them.
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

/// The elements of one array, while a type decodes them one after another.
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

/// A value decoded as a whole.
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

/// A member name or an array index on a coding path.
struct JSONKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  static let superKey = JSONKey(stringValue: "super")
}

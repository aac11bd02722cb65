/// The decoder for one value at one place.
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

  /// Reads the value as a `T`; every kind of error is given its place and its sentence here.
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

import AtelierProtocol
import JSON

/// A decoder that holds no data: it records which members a type asks for, and answers with placeholders.
///
/// Optional members are answered with nil. Where a type then refuses what it read, because it wants one of several
/// members, everything has been asked for already.
final class SchemaRecording: Decoder {
  struct Member {
    var name: String
    var schema: JSONObject
    var isRequired: Bool
  }

  let builder: SchemaBuilder
  private(set) var members: [Member] = []

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(builder: SchemaBuilder) { self.builder = builder }

  func record(_ type: any Decodable.Type) {
    _ = try? type.init(from: self)
  }

  func add(_ key: some CodingKey, _ type: any Decodable.Type, isRequired: Bool) {
    guard !members.contains(where: { $0.name == key.stringValue }) else { return }
    members.append(Member(name: key.stringValue, schema: builder.schema(of: type), isRequired: isRequired))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(SchemaKeyedContainer(recording: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw notAnObject }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw notAnObject }

  private var notAnObject: JSONExpectation {
    JSONExpectation("a type that decodes its members by name, or provides its schema")
  }

  /// A value of the type, for the type around it to go on with.
  func placeholder<T: Decodable>(_ type: T.Type) throws -> T {
    let value: Any? =
      switch type {
      case let provider as any SchemaProviding.Type: provider.placeholder
      case let identifier as any Identifier.Type: identifier.init(rawValue: "id")
      case is String.Type: ""
      case is Bool.Type: false
      case is Double.Type: 0.0
      case is JSONValue.Type: JSONValue.null
      case is JSONObject.Type: JSONObject()
      case let integer as any FixedWidthInteger.Type: integer.init(0)
      case let enumeration as any (CaseIterable & RawRepresentable<String>).Type: Self.firstCase(of: enumeration)
      default: nil
      }
    if let value = value as? T { return value }
    return try T(from: SchemaRecording(builder: builder))
  }

  private static func firstCase<T: CaseIterable>(of type: T.Type) -> Any? { type.allCases.first }
}

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

import JSON

/// Derives JSON Schemas from Swift types by decoding each with a decoder that records what is asked of it.
///
/// Used within one call, by one task; not `Sendable`.
public final class SchemaBuilder {
  /// Who writes the values: hosts must keep to what is known, but must accept what later versions add.
  public enum Direction: Hashable, Sendable {
    case fromHost, toHost
  }

  /// Where named schemas are referred to, such as `#/$defs/`.
  let referencePrefix: String
  /// The named schemas, in the order in which they were met.
  private(set) var definitions: JSONObject = [:]
  private var names: [Key: String] = [:]

  private struct Key: Hashable {
    var type: ObjectIdentifier
    var direction: Direction
  }

  init(referencePrefix: String) { self.referencePrefix = referencePrefix }

  private var direction = Direction.fromHost

  /// The schema of a value that goes in `direction`.
  func schema(of type: any Decodable.Type, _ direction: Direction) -> JSONObject {
    let outer = self.direction
    self.direction = direction
    defer { self.direction = outer }
    return schema(of: type)
  }

  /// The schema of a value inside the one that is being described.
  public func schema(of type: any Decodable.Type) -> JSONObject {
    if let provider = type as? any SchemaProviding.Type {
      guard provider.isNamed else { return provider.schema(in: self) }
      return reference(to: type) { provider.schema(in: self) }
    }
    if let primitive = Self.primitive(type) { return primitive }
    if let names = Self.caseNames(of: type) { return enumeration(type, names) }
    return reference(to: type) { object(type) }
  }

  /// Keeps a schema under a name of its own.
  /// - Returns: a reference to it.
  func define(_ name: String, _ schema: JSONObject) -> JSONObject {
    definitions[name] = .object(schema)
    return ["$ref": .string(referencePrefix + name)]
  }

  /// What is kept of a type that was described, behind any references.
  func definition(of type: any Any.Type) -> JSONValue? {
    var definition = definitions[Self.name(of: type)]
    while let reference = definition?["$ref"]?.string, reference.hasPrefix(referencePrefix) {
      definition = definitions[String(reference.dropFirst(referencePrefix.count))]
    }
    return definition
  }

  private func reference(to type: any Decodable.Type, _ make: () -> JSONObject) -> JSONObject {
    let key = Key(type: ObjectIdentifier(type), direction: direction)
    if let name = names[key] { return ["$ref": .string(referencePrefix + name)] }
    let name = Self.name(of: type)
    // Reserved first, so that the definitions come in the order in which they are met.
    if definitions[name] == nil {
      names[key] = name
      definitions[name] = [:]
      return define(name, make())
    }
    let schema = make()
    if definitions[name] == .object(schema) {
      names[key] = name
      return ["$ref": .string(referencePrefix + name)]
    }
    names[key] = name + "InResult"
    return define(name + "InResult", schema)
  }

  private func enumeration(_ type: any Decodable.Type, _ names: [String]) -> JSONObject {
    let closed = reference(to: type) {
      var schema: JSONObject = ["type": "string", "enum": .array(names.map(JSONValue.string))]
      if let described = type as? any SchemaDescribed.Type, !described.summary.isEmpty {
        schema["description"] = .string(described.summary)
      }
      return schema
    }
    return direction == .fromHost ? closed : ["anyOf": [.object(closed), ["type": "string"]]]
  }

  private func object(_ type: any Decodable.Type) -> JSONObject {
    let recording = SchemaRecording(builder: self)
    recording.record(type)
    let described = type as? any SchemaDescribed.Type
    var schema: JSONObject = ["type": "object"]
    if let summary = described?.summary, !summary.isEmpty { schema["description"] = .string(summary) }
    var properties: JSONObject = [:]
    for member in recording.members {
      var property = member.schema
      if let text = described?.members[member.name] { property["description"] = .string(text) }
      properties[member.name] = .object(property)
    }
    let isClosed = direction == .fromHost && !(type is any OpenToUnknownMembers.Type)
    if isClosed { properties["_meta"] = ["description": "Anything; never looked at."] }
    schema["properties"] = .object(properties)
    let required = recording.members.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema["required"] = .array(required) }
    if isClosed { schema["additionalProperties"] = false }
    for (keyword, value) in described?.keywords ?? [:] { schema[keyword] = value }
    return schema
  }

  /// `Generate.Result` becomes `GenerateResult`, and the message `Generate` itself `GenerateParams`.
  static func name(of type: any Any.Type) -> String {
    let path = String(reflecting: type).split(separator: ".").dropFirst().joined()
    return type is any RequestMessage.Type || type is any NotificationMessage.Type ? path + "Params" : path
  }

  private static func primitive(_ type: any Any.Type) -> JSONObject? {
    switch type {
    case is String.Type: ["type": "string"]
    case is Bool.Type: ["type": "boolean"]
    case is Int.Type, is Int64.Type, is Int32.Type: ["type": "integer"]
    case is Double.Type: ["type": "number"]
    case is JSONValue.Type: [:]
    case is JSONObject.Type: ["type": "object"]
    default: nil
    }
  }

  static func caseNames(of type: any Any.Type) -> [String]? {
    (type as? any (CaseIterable & RawRepresentable<String>).Type).map { caseNames(of: $0) }
  }

  private static func caseNames<T: CaseIterable & RawRepresentable<String>>(of type: T.Type) -> [String] {
    type.allCases.map(\.rawValue)
  }
}

/// A message whose unknown members are ignored.
public protocol OpenToUnknownMembers {}

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

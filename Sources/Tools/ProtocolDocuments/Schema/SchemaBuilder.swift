import AtelierProtocol
import JSON

/// Derives JSON Schemas from Swift types by decoding each with a decoder that records what is asked of it.
///
/// Used within one call, by one task; not `Sendable`.
final class SchemaBuilder {
  /// Who writes the values: hosts must keep to what is known, but must accept what later versions add.
  enum Direction: Hashable, Sendable {
    case fromHost, toHost
  }

  /// Where named schemas are referred to, such as `#/$defs/`.
  let referencePrefix: String
  /// What the types and their members mean.
  let comments: DocComments
  /// The types, members and values that have no doc comment, in the order in which they were met.
  private(set) var undocumented: [String] = []
  /// Where the type of each named schema is declared: `Generate.Output` for `GenerateOutput`.
  private(set) var paths: [String: String] = [:]
  /// The named schemas, in the order in which they were met.
  private(set) var definitions: JSONObject = [:]
  private var names: [Key: String] = [:]

  private struct Key: Hashable {
    var type: ObjectIdentifier
    var direction: Direction
  }

  init(referencePrefix: String, comments: DocComments) {
    self.referencePrefix = referencePrefix
    self.comments = comments
  }

  private var direction = Direction.fromHost

  /// The schema of a value that goes in `direction`.
  func schema(of type: any Decodable.Type, _ direction: Direction) -> JSONObject {
    let outer = self.direction
    self.direction = direction
    defer { self.direction = outer }
    return schema(of: type)
  }

  /// The schema of a value inside the one that is being described.
  func schema(of type: any Decodable.Type) -> JSONObject {
    if let identifier = type as? any Identifier.Type {
      return reference(to: type) { self.identifier(identifier) }
    }
    if let provider = type as? any SchemaProviding.Type {
      guard provider.isNamed else { return provider.schema(in: self) }
      return reference(to: type) { provider.schema(in: self) }
    }
    if let primitive = Self.primitive(type) { return primitive }
    if let values = Self.values(of: type) { return enumeration(type, values) }
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
    paths[name] = Self.path(of: type)
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

  private func enumeration(_ type: any Decodable.Type, _ values: [(name: String, rawValue: String)]) -> JSONObject {
    let closed = reference(to: type) {
      var meanings: JSONObject = [:]
      for value in values {
        meanings[value.rawValue] = sentence("\(Self.path(of: type)).\(value.name)").map(JSONValue.string)
      }
      let names = values.map { JSONValue.string($0.rawValue) }
      return described(type, ["type": "string", "enum": .array(names), "x-values": .object(meanings)])
    }
    return direction == .fromHost ? closed : ["anyOf": [.object(closed), ["type": "string"]]]
  }

  private func identifier(_ type: any Identifier.Type) -> JSONObject {
    described(type, ["type": "string", "minLength": 1, "maxLength": .number(JSONNumber(type.maximumLength))])
  }

  private func object(_ type: any Decodable.Type) -> JSONObject {
    let recording = SchemaRecording(builder: self)
    recording.record(type)
    var properties: JSONObject = [:]
    for member in recording.members {
      let names = recording.members.map(\.name)
      properties[member.name] = .object(described(member.name, of: type, among: names, member.schema))
    }
    let isClosed = direction == .fromHost && !(type is any OpenToUnknownMembers.Type)
    if isClosed { properties["_meta"] = ["description": "Anything; never looked at."] }
    var schema = described(type, ["type": "object", "properties": .object(properties)])
    let required = recording.members.filter(\.isRequired).map { JSONValue.string($0.name) }
    if !required.isEmpty { schema["required"] = .array(required) }
    if isClosed { schema["additionalProperties"] = false }
    for (keyword, value) in (type as? any SchemaConstrained.Type)?.keywords ?? [:] { schema[keyword] = value }
    return schema
  }

  /// The schema with what the type's doc comment says before all else.
  func described(_ type: any Any.Type, _ schema: JSONObject) -> JSONObject {
    guard let sentence = sentence(Self.path(of: type)) else { return schema }
    return JSONObject(members: [("description", .string(sentence))] + schema.map { ($0.key, $0.value) })
  }

  /// A member's schema with its meaning before all else.
  func described(
    _ member: String, of type: any Any.Type, among members: [String], _ schema: JSONObject
  ) -> JSONObject {
    let path = Self.path(of: type)
    guard let text = comments.text(ofMember: member, in: path, members: members) else {
      note("\(path).\(member)")
      return schema
    }
    return JSONObject(members: [("description", .string(text))] + schema.map { ($0.key, $0.value) })
  }

  /// The doc comment at `path`; one that is missing is noted.
  private func sentence(_ path: String) -> String? {
    let text = comments.text(path)
    if text == nil { note(path) }
    return text
  }

  private func note(_ path: String) {
    if !undocumented.contains(path) { undocumented.append(path) }
  }

  /// `History.Result` becomes `HistoryResult`, and the message `Generate` itself `GenerateParams`.
  static func name(of type: any Any.Type) -> String {
    let path = path(of: type).replacing(".", with: "")
    return type is any RequestMessage.Type || type is any NotificationMessage.Type ? path + "Params" : path
  }

  /// Where the type is declared in its module: `History.Result`.
  static func path(of type: any Any.Type) -> String {
    String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
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

  /// The values of an enumeration, by what they are called in Swift and on the wire; nil of any other type.
  static func values(of type: any Any.Type) -> [(name: String, rawValue: String)]? {
    (type as? any (CaseIterable & RawRepresentable<String>).Type).map { values(of: $0) }
  }

  private static func values<T: CaseIterable & RawRepresentable<String>>(
    of type: T.Type
  ) -> [(name: String, rawValue: String)] {
    type.allCases.map { (String(describing: $0), $0.rawValue) }
  }
}

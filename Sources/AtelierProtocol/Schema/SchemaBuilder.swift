import JSONRPC

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

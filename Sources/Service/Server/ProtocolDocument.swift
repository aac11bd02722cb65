import AtelierProtocol
import CEmbedded
import JSON
import JSONRPC
import Localization

/// The protocol as documents for machines, embedded as `make schema` wrote them into `protocol/`.
public enum ProtocolDocument: String, Sendable, CaseIterable {
  case openRPC = "openrpc"
  case jsonSchema = "json-schema"

  /// The file, as it is in `protocol/`.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes of the file.
  private var bytes: UnsafeBufferPointer<UInt8> {
    // Read-only data of the executable: it lives as long as the process and never changes.
    let file = self == .openRPC ? embedded_openrpc() : embedded_schema()
    return UnsafeBufferPointer(start: file.bytes, count: file.size)
  }

  /// What `rpc.discover` answers; parsed when it is first asked for.
  static let discovered = Result { try JSONValue(parsing: openRPC.bytes) }
}

extension ProtocolDocument {
  /// What a trace may show of the protocol's messages: the names of members, methods and values of enumerations, and the
  /// sentences of errors; and which members are secret.
  /// - Throws: `JSONParseError` when the embedded document is not JSON; a test proves that it is.
  public static func traceVocabulary() throws -> TraceVocabulary {
    TraceVocabulary(schema: try JSONValue(parsing: jsonSchema.bytes))
  }
}

extension TraceVocabulary {
  /// - Parameter schema: the JSON Schema of the protocol, which is written from the types of the messages.
  init(schema: JSONValue) {
    var reading = SchemaReading(definitions: schema["$defs"]?.object ?? [:])
    reading.collect(schema)
    var words = ProtocolRegistry.acceptedMethods + ProtocolRegistry.sentNotifications
    words += ErrorKind.allCases.map(\.rawValue)
    words += Language.allCases.flatMap { language in ErrorKind.allCases.map { $0.sentence.text(in: language) } }
    words += ProviderID.all.map(\.rawValue) + [AccountID.owner.rawValue]
    self.init(
      members: reading.names, words: words + reading.words, secretMembers: reading.secrets,
      identifierPrefixes: ["gen", "prep"])
  }
}

/// What is found in a JSON Schema for a trace.
private struct SchemaReading {
  let definitions: JSONObject
  var names: [String] = []
  var words: [String] = []
  /// The members whose type is a secret.
  var secrets: [String] = []

  init(definitions: JSONObject) { self.definitions = definitions }

  mutating func collect(_ schema: JSONValue) {
    for element in schema.array ?? [] { collect(element) }
    for (keyword, value) in schema.object ?? [:] {
      switch keyword {
      case "properties":
        names += value.object?.keys ?? []
        for (name, member) in value.object ?? [:] where isSecret(member) { secrets.append(name) }
      case "enum": words += value.array?.compactMap(\.string) ?? []
      case "const": words += [value.string].compactMap { $0 }
      default: break
      }
      collect(value)
    }
  }

  /// Whether a value of the schema is a secret itself or a list of them. The members of an object are looked at by
  /// themselves.
  private func isSecret(_ schema: JSONValue) -> Bool {
    if let alternatives = schema.array { return alternatives.contains(where: isSecret) }
    guard let object = schema.object else { return false }
    if let name = object["$ref"]?.string?.split(separator: "/").last {
      return isSecret(definitions[String(name)] ?? .null)
    }
    return ["writeOnly", "x-secret"].contains { object[$0]?.bool == true }
      || ["items", "anyOf", "oneOf"].contains { isSecret(object[$0] ?? .null) }
  }
}

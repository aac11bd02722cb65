import JSON
import JSONRPC

/// The protocol as documents for machines, derived from the Swift types; see `protocol/openrpc.json` and
/// `protocol/schema.json`.
///
/// The same types always give the same text.
public enum SchemaExport {
  /// The formats the protocol can be exported in.
  public enum Format: String, Sendable, CaseIterable {
    case openRPC = "openrpc"
    case jsonSchema = "json-schema"
  }

  /// The document in `format`, indented, with a newline at its end.
  /// - Throws: `EncodingError` when an example cannot be written as JSON; a test proves that each can.
  public static func text(_ format: Format) throws -> String {
    switch format {
    case .openRPC: try openRPC().indented()
    case .jsonSchema: try jsonSchema().indented()
    }
  }

  static let purpose =
    "Atelier makes pictures of people for host programs: JSON-RPC 2.0 over stdin and stdout. "
    + "The reference is protocol/PROTOCOL.md."

  /// A schema of params, taken apart.
  struct Params {
    var properties: JSONObject
    var required: [String]
    /// What holds of several members together.
    var hasAlternatives: Bool

    init(_ schema: JSONValue?) {
      properties = schema?["properties"]?.object ?? [:]
      properties["_meta"] = nil
      required = schema?["required"]?.array?.compactMap(\.string) ?? []
      hasAlternatives = schema?["oneOf"] != nil
    }

    /// True when a message without any params can be right.
    var mayBeAbsent: Bool { required.isEmpty && !hasAlternatives }
  }
}

extension SchemaExport {
  /// What a trace may show of the protocol's messages: the names of members, methods and values of enumerations, and the
  /// sentences of errors.
  /// - Throws: as ``jsonSchema()``.
  public static func traceVocabulary() throws -> TraceVocabulary {
    var names: [String] = []
    var words = ProtocolRegistry.acceptedMethods + ProtocolRegistry.sentNotifications
    words += ErrorKind.allCases.map(\.rawValue) + ErrorKind.allCases.map(\.sentence)
    words += [ProviderID.ondevice, .gemini, .openai].map(\.rawValue) + [AccountID.owner.rawValue]
    collect(try jsonSchema(), &names, &words)
    return TraceVocabulary(
      members: names, words: words, secretMembers: ["key", "signedTransaction", "purchaseData", "signature"],
      identifierPrefixes: ["gen", "prep"])
  }

  private static func collect(_ schema: JSONValue, _ names: inout [String], _ words: inout [String]) {
    for element in schema.array ?? [] { collect(element, &names, &words) }
    for (keyword, value) in schema.object ?? [:] {
      switch keyword {
      case "properties": names += value.object?.keys ?? []
      case "enum": words += value.array?.compactMap(\.string) ?? []
      case "const": words += [value.string].compactMap { $0 }
      default: break
      }
      collect(value, &names, &words)
    }
  }
}

extension SchemaExport {
  /// The JSON Schema (draft 2020-12) of one message on the wire, in either direction.
  ///
  /// The result of a method cannot be told from the response alone; `$defs/Results` has it by method, and
  /// `$defs/Details` the details of an error by its kind.
  public static func jsonSchema() throws -> JSONValue {
    let builder = SchemaBuilder(referencePrefix: "#/$defs/")
    _ = builder.define("RequestId", ["type": ["string", "number"]])
    var results: JSONObject = [:]
    var fromHost: [JSONValue] = []
    for message in ProtocolRegistry.requests {
      fromHost.append(envelope(of: message, named: message.method, .fromHost, isRequest: true, builder))
      results[message.method] = .object(answer(of: message, builder))
    }
    for message in ProtocolRegistry.notificationsFromHost {
      fromHost.append(envelope(of: message, named: message.method, .fromHost, isRequest: false, builder))
    }
    var toHost = responses(builder)
    for message in ProtocolRegistry.notificationsToHost {
      toHost.append(envelope(of: message, named: message.method, .toHost, isRequest: false, builder))
    }
    _ = builder.define("Results", ["description": "The result of each method.", "properties": .object(results)])
    _ = builder.define(
      "Details",
      [
        "description": "The details of each kind of error that has some of its own.",
        "properties": .object(details(builder)),
      ])
    let host = builder.define("HostMessage", ["description": "What a host sends.", "oneOf": .array(fromHost)])
    let service = builder.define("ServiceMessage", ["description": "What the service sends.", "oneOf": .array(toHost)])
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": .string("urn:atelier:protocol:\(ProtocolVersion.current)"),
      "title": .string("The Atelier protocol, version \(ProtocolVersion.current)"),
      "description": .string(purpose),
      "anyOf": [.object(host), .object(service)],
      "$defs": .object(builder.definitions),
    ]
  }

  private static func answer<M: RequestMessage>(of type: M.Type, _ builder: SchemaBuilder) -> JSONObject {
    builder.schema(of: type.Answer.self, .toHost)
  }

  private static func details(_ builder: SchemaBuilder) -> JSONObject {
    var details: JSONObject = [:]
    for type in ProtocolRegistry.errorDetails {
      for kind in type.kinds { details[kind.rawValue] = .object(builder.schema(of: type, .toHost)) }
    }
    return details
  }

  private static func envelope(
    of type: any Decodable.Type, named method: String, _ direction: SchemaBuilder.Direction, isRequest: Bool,
    _ builder: SchemaBuilder
  ) -> JSONValue {
    let reference = builder.schema(of: type, direction)
    let params = Params(builder.definition(of: type))
    var properties: JSONObject = ["jsonrpc": ["const": "2.0"]]
    if isRequest { properties["id"] = ["$ref": "#/$defs/RequestId"] }
    properties["method"] = ["const": .string(method)]
    properties["params"] = .object(params.mayBeAbsent ? orNothing(reference) : reference)
    var required: [JSONValue] = isRequest ? ["jsonrpc", "id", "method"] : ["jsonrpc", "method"]
    if !params.mayBeAbsent { required.append("params") }
    var schema: JSONObject = ["type": "object", "properties": .object(properties), "required": .array(required)]
    if !isRequest { schema["not"] = ["required": ["id"]] }
    return .object(schema)
  }

  /// PROTOCOL 1: `params` absent, null, {} or [] all mean none.
  private static func orNothing(_ reference: JSONObject) -> JSONObject {
    ["anyOf": [.object(reference), ["type": "null"], ["type": "array", "maxItems": 0]]]
  }

  private static func responses(_ builder: SchemaBuilder) -> [JSONValue] {
    let application = builder.schema(of: ErrorBody.self, .toHost)
    let protocolError = builder.define(
      "ProtocolError",
      [
        "description": "An error of JSON-RPC itself; -32602 says in `data` where and what was expected.",
        "type": "object",
        "properties": [
          "code": ["type": "integer", "maximum": -1], "message": ["type": "string"],
          "data": [
            "type": "object", "properties": ["path": ["type": "string"], "expected": ["type": "string"]],
          ],
        ],
        "required": ["code", "message"],
      ])
    let id: JSONValue = ["anyOf": [["$ref": "#/$defs/RequestId"], ["type": "null"]]]
    return [
      [
        "type": "object",
        "properties": ["jsonrpc": ["const": "2.0"], "id": ["$ref": "#/$defs/RequestId"], "result": [:]],
        "required": ["jsonrpc", "id", "result"], "not": ["required": ["error"]],
      ],
      [
        "type": "object",
        "properties": [
          "jsonrpc": ["const": "2.0"], "id": id, "error": ["anyOf": [.object(protocolError), .object(application)]],
        ],
        "required": ["jsonrpc", "id", "error"], "not": ["required": ["result"]],
      ],
    ]
  }
}

extension JSONValue {
  private static let lineLength = 100

  /// The value as a document for people: two spaces a level, members in their order, short simple parts on one line.
  public func indented() -> String { indented(by: 0) + "\n" }

  private func indented(by indent: Int) -> String {
    if let line = simpleLine, indent + line.utf8.count <= Self.lineLength { return line }
    let inner = String(repeating: " ", count: indent + 2)
    let outer = String(repeating: " ", count: indent)
    switch self {
    case .array(let elements):
      let lines = elements.map { inner + $0.indented(by: indent + 2) }
      return "[\n" + lines.joined(separator: ",\n") + "\n" + outer + "]"
    case .object(let object):
      let lines = object.map { inner + Self.text($0.key) + ": " + $0.value.indented(by: indent + 2) }
      return "{\n" + lines.joined(separator: ",\n") + "\n" + outer + "}"
    default: return compact
    }
  }

  /// The value on one line, when nothing in it has parts of its own.
  private var simpleLine: String? {
    switch self {
    case .array(let elements):
      guard elements.allSatisfy(\.isSimple) else { return nil }
      return "[" + elements.map(\.compact).joined(separator: ", ") + "]"
    case .object(let object):
      guard object.count <= 2, object.allSatisfy({ $0.value.isSimple }) else { return nil }
      return object.isEmpty
        ? "{}" : "{ " + object.map { Self.text($0.key) + ": " + $0.value.compact }.joined(separator: ", ") + " }"
    default: return compact
    }
  }

  private var isSimple: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  private var compact: String { String(decoding: serialized(), as: UTF8.self) }

  private static func text(_ string: String) -> String { JSONValue.string(string).compact }
}

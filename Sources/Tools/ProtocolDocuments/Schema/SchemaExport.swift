import AtelierProtocol
import JSON

/// The protocol as documents for machines, derived from the Swift types, their doc comments and the examples.
///
/// The same sources always give the same text.
public struct SchemaExport: Sendable {
  let comments: DocComments
  let examples: [Example]

  /// - Parameters:
  ///   - comments: those of the module AtelierProtocol.
  ///   - examples: shown with the methods they are of.
  public init(comments: DocComments, examples: [Example]) {
    self.comments = comments
    self.examples = examples
  }

  static let purpose =
    "Atelier makes pictures of people for host programs: JSON-RPC 2.0 over stdin and stdout. "
    + "Begin with protocol/PROTOCOL.md; protocol/REFERENCE.md has every method."

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
  /// The JSON Schema (draft 2020-12) of one message on the wire, in either direction.
  ///
  /// The result of a method cannot be told from the response alone; `$defs/Results` has it by method, and
  /// `$defs/Details` the details of an error by its kind.
  public func jsonSchema() -> JSONValue { jsonSchema(SchemaBuilder(referencePrefix: "#/$defs/", comments: comments)) }

  func jsonSchema(_ builder: SchemaBuilder) -> JSONValue {
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
    fromHost += hostResponses(builder)
    for message in ProtocolRegistry.requestsToHost {
      toHost.append(envelope(of: message, named: message.method, .toHost, isRequest: true, builder))
      results[message.method] = .object(hostAnswer(of: message, builder))
    }
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
      "description": .string(Self.purpose),
      "anyOf": [.object(host), .object(service)],
      "$defs": .object(builder.definitions),
    ]
  }

  private func answer<M: RequestMessage>(of type: M.Type, _ builder: SchemaBuilder) -> JSONObject {
    builder.schema(of: type.Result.self, .toHost)
  }

  private func hostAnswer<M: RequestMessage>(of type: M.Type, _ builder: SchemaBuilder) -> JSONObject {
    builder.schema(of: type.Result.self, .fromHost)
  }

  /// What a host answers to the requests of the service.
  private func hostResponses(_ builder: SchemaBuilder) -> [JSONValue] {
    func response(_ member: String, _ schema: JSONValue) -> JSONValue {
      var properties: JSONObject = ["jsonrpc": ["const": "2.0"], "id": ["$ref": "#/$defs/RequestId"]]
      properties[member] = schema
      return [
        "type": "object", "properties": .object(properties), "required": ["jsonrpc", "id", .string(member)],
        "not": ["required": ["method"]],
      ]
    }
    return [response("result", [:]), response("error", ["type": "object"])]
  }

  private func details(_ builder: SchemaBuilder) -> JSONObject {
    var details: JSONObject = [:]
    for type in ProtocolRegistry.errorDetails {
      for kind in type.kinds { details[kind.rawValue] = .object(builder.schema(of: type, .toHost)) }
    }
    return details
  }

  private func envelope(
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

  /// `params` absent, null, {} or [] all mean none.
  private func orNothing(_ reference: JSONObject) -> JSONObject {
    ["anyOf": [.object(reference), ["type": "null"], ["type": "array", "maxItems": 0]]]
  }

  private func responses(_ builder: SchemaBuilder) -> [JSONValue] {
    let application = builder.schema(of: ErrorBody.self, .toHost)
    let protocolError = builder.define(
      "ProtocolError",
      [
        "description": "An error of JSON-RPC itself.", "type": "object",
        "properties": [
          "code": ["type": "integer", "maximum": -1], "message": ["type": "string"], "data": Self.protocolErrorData,
        ],
        "required": ["code", "message", "data"],
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

  private static let protocolErrorData: JSONValue = [
    "type": "object",
    "properties": [
      "kind": ["description": "The stable name of the error.", "type": "string"],
      "retryable": ["description": "Always false.", "const": false],
      "path": ["description": "With invalid_params: where, as a JSON Pointer into the params.", "type": "string"],
      "expected": ["description": "With invalid_params: what is expected there.", "type": "string"],
    ],
    "required": ["kind", "retryable"],
  ]
}

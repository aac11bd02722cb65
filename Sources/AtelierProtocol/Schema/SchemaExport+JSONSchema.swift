import JSONRPC

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

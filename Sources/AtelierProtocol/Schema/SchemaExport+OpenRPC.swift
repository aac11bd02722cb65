import JSON

extension SchemaExport {
  /// The OpenRPC document (spec.open-rpc.org, version 1.3.2), as `rpc.discover` answers it.
  ///
  /// What OpenRPC has no place for is in members that begin with `x-`: the notifications of the service, and the
  /// params of each message as one schema.
  public static func openRPC() throws -> JSONValue {
    let builder = SchemaBuilder(referencePrefix: "#/components/schemas/")
    let methods = try ProtocolRegistry.requests.map { try method($0, builder) }
    let incoming = try ProtocolRegistry.notificationsFromHost.map { try notification($0, .fromHost, builder) }
    let outgoing = try ProtocolRegistry.notificationsToHost.map { try notification($0, .toHost, builder) }
    _ = builder.schema(of: ErrorBody.self, .toHost)
    for details in ProtocolRegistry.errorDetails { _ = builder.schema(of: details, .toHost) }
    return [
      "openrpc": "1.3.2",
      "info": [
        "title": "Atelier", "version": .string(ProtocolVersion.current), "description": .string(purpose),
      ],
      "methods": .array(methods + incoming),
      "x-notifications": .array(outgoing),
      "components": ["schemas": .object(builder.definitions), "errors": .object(errors)],
    ]
  }

  private static func method<M: RequestMessage>(_ type: M.Type, _ builder: SchemaBuilder) throws -> JSONValue {
    let (members, schema) = params(of: type, .fromHost, builder)
    let result = builder.schema(of: type.Answer.self, .toHost)
    let names = ["invalid_params"] + (type.errors + [.internal, .overloaded]).map(\.rawValue)
    return [
      "name": .string(type.method), "summary": .string(type.title), "description": .string(type.summary),
      "paramStructure": "by-name", "params": members, "x-params": schema,
      "result": ["name": "result", "schema": .object(result)],
      "errors": .array(names.map { ["$ref": .string("#/components/errors/\($0)")] }),
      "examples": .array(try type.examples.map(example)),
    ]
  }

  private static func example<M: RequestMessage>(_ example: RequestExample<M>) throws -> JSONValue {
    let params = try JSONValueEncoder().encode(example.params).object ?? [:]
    return [
      "name": .string(example.name), "params": .array(params.map { ["name": .string($0.key), "value": $0.value] }),
      "result": ["name": "result", "value": try JSONValueEncoder().encode(example.answer)],
    ]
  }

  private static func notification<N: NotificationMessage>(
    _ type: N.Type, _ direction: SchemaBuilder.Direction, _ builder: SchemaBuilder
  ) throws -> JSONValue {
    let (members, schema) = params(of: type, direction, builder)
    let example = try JSONValueEncoder().encode(type.example).object ?? [:]
    let values: [JSONValue] = example.map { ["name": .string($0.key), "value": $0.value] }
    return [
      "name": .string(type.method), "summary": .string(type.title), "description": .string(type.summary),
      "paramStructure": "by-name", "params": members, "x-params": schema,
      "examples": [["name": .string(type.title), "params": .array(values)]],
    ]
  }

  /// The params as OpenRPC lists them, and as the one schema they are kept in.
  private static func params(
    of type: any Decodable.Type, _ direction: SchemaBuilder.Direction, _ builder: SchemaBuilder
  ) -> (members: JSONValue, schema: JSONValue) {
    let reference = builder.schema(of: type, direction)
    let params = Params(builder.definition(of: type))
    let members = params.properties.map { name, schema -> JSONValue in
      var schema = schema.object ?? [:]
      var descriptor: JSONObject = ["name": .string(name)]
      if let description = schema["description"] { descriptor["description"] = description }
      schema["description"] = nil
      if params.required.contains(name) { descriptor["required"] = true }
      descriptor["schema"] = .object(schema)
      return .object(descriptor)
    }
    return (.array(members), .object(reference))
  }

  private static var errors: JSONObject {
    var errors: JSONObject = [
      "invalid_params": [
        "code": -32_602, "message": "A sentence that says which member is wrong and what it must be.",
        "data": ["path": "/style/angle", "expected": "a number from -1 to 1, or left, front, right"],
      ]
    ]
    for kind in ErrorKind.allCases {
      var data: JSONObject = ["kind": .string(kind.rawValue), "retryable": .bool(kind.isRetryable)]
      let details = ProtocolRegistry.errorDetails.first { $0.kinds.contains(kind) }
      if let details { data["details"] = example(of: details) }
      errors[kind.rawValue] = [
        "code": .number(JSONNumber(kind.code)), "message": .string(kind.sentence), "data": .object(data),
      ]
    }
    return errors
  }

  private static func example<D: ErrorDetails>(of type: D.Type) -> JSONValue { .object(type.example.json) }
}

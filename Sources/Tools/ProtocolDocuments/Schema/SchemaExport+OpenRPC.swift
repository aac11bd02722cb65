import AtelierProtocol
import JSON

extension SchemaExport {
  /// The OpenRPC document (spec.open-rpc.org, version 1.3.2), as `rpc.discover` answers it.
  ///
  /// What OpenRPC has no place for is in members that begin with `x-`: the requests and notifications of the service,
  /// and the params of each message as one schema.
  public func openRPC() -> JSONValue {
    let builder = SchemaBuilder(referencePrefix: "#/components/schemas/", comments: comments)
    let methods = ProtocolRegistry.requests.map { method($0, builder) }
    let asked = ProtocolRegistry.requestsToHost.map { requestToHost($0, builder) }
    let incoming = ProtocolRegistry.notificationsFromHost.map { notification($0, .fromHost, builder) }
    let outgoing = ProtocolRegistry.notificationsToHost.map { notification($0, .toHost, builder) }
    _ = builder.schema(of: ErrorBody.self, .toHost)
    for details in ProtocolRegistry.errorDetails { _ = builder.schema(of: details, .toHost) }
    return [
      "openrpc": "1.3.2",
      "info": [
        "title": "Atelier", "version": .string(ProtocolVersion.current), "description": .string(Self.purpose),
      ],
      "methods": .array(methods + incoming),
      "x-requests": .array(asked),
      "x-notifications": .array(outgoing),
      "components": ["schemas": .object(builder.definitions), "errors": .object(errors)],
    ]
  }

  private func method<M: RequestMessage>(_ type: M.Type, _ builder: SchemaBuilder) -> JSONValue {
    let (members, schema) = params(of: type, .fromHost, builder)
    let result = builder.schema(of: type.Result.self, .toHost)
    let names = ["invalid_params"] + (type.errors + [.internal, .overloaded, .storageUnavailable]).map(\.rawValue)
    let texts = texts(of: type)
    return [
      "name": .string(type.method), "summary": .string(texts.summary), "description": .string(texts.description),
      "paramStructure": "by-name", "params": members, "x-params": schema,
      "result": ["name": "result", "schema": .object(result)],
      "errors": .array(names.map { ["$ref": .string("#/components/errors/\($0)")] }),
      "examples": .array(examples(of: type.method)),
    ]
  }

  private func requestToHost<M: RequestMessage>(_ type: M.Type, _ builder: SchemaBuilder) -> JSONValue {
    let (members, schema) = params(of: type, .toHost, builder)
    let texts = texts(of: type)
    return [
      "name": .string(type.method), "summary": .string(texts.summary), "description": .string(texts.description),
      "paramStructure": "by-name", "params": members, "x-params": schema,
      "result": ["name": "result", "schema": .object(builder.schema(of: type.Result.self, .fromHost))],
      "examples": .array(examples(of: type.method)),
    ]
  }

  private func notification<N: NotificationMessage>(
    _ type: N.Type, _ direction: SchemaBuilder.Direction, _ builder: SchemaBuilder
  ) -> JSONValue {
    let (members, schema) = params(of: type, direction, builder)
    let texts = texts(of: type)
    return [
      "name": .string(type.method), "summary": .string(texts.summary), "description": .string(texts.description),
      "paramStructure": "by-name", "params": members, "x-params": schema,
      "examples": .array(examples(of: type.method)),
    ]
  }

  /// The first paragraph of a message's doc comment, without its final full stop, and all of it.
  func texts(of type: any Any.Type) -> (summary: String, description: String) {
    let paragraphs = comments.paragraphs(SchemaBuilder.path(of: type)) ?? []
    let first = paragraphs.first ?? ""
    return (first.hasSuffix(".") ? String(first.dropLast()) : first, paragraphs.joined(separator: " "))
  }

  /// The examples of a method or notification, as OpenRPC pairs params with a result.
  private func examples(of method: String) -> [JSONValue] {
    examples.filter { $0.method == method }.compactMap { example in
      guard let params = example.params else { return nil }
      var pairing: JSONObject = [
        "name": .string(example.title),
        "params": .array((params.object ?? [:]).map { ["name": .string($0.key), "value": $0.value] }),
      ]
      if let result = example.result { pairing["result"] = ["name": "result", "value": result] }
      return .object(pairing)
    }
  }

  /// The params as OpenRPC lists them, and as the one schema they are kept in.
  private func params(
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

  private var errors: JSONObject {
    var errors: JSONObject = [
      "invalid_params": [
        "code": -32_602, "message": "A sentence that says which member is wrong and what it must be.",
        "data": [
          "kind": "invalid_params", "retryable": false, "path": "/style/angle",
          "expected": "a number from -1 to 1, or left, front, right",
        ],
      ]
    ]
    for kind in ErrorKind.allCases {
      let data: JSONObject = ["kind": .string(kind.rawValue), "retryable": .bool(kind.isRetryable)]
      errors[kind.rawValue] = [
        "code": .number(JSONNumber(kind.code)), "message": .string(kind.sentence.text), "data": .object(data),
      ]
    }
    return errors
  }
}

import AtelierClient
import CEmbedded
import HTTPTypes
import JSON

/// The description of the interface (OpenAPI 3.1): from the routes, and from what the protocol says of its methods.
enum OpenAPI {
  static let document: JSONValue = {
    var paths: JSONObject = [:]
    for route in Routes.all {
      var path = paths[route.path]?.object ?? [:]
      path[route.method.rawValue.lowercased()] = .object(operation(route))
      paths[route.path] = .object(path)
    }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "Atelier", "version": .string(Version.current),
        "description":
          "Portraits, haircuts, edits and places over HTTP. Types and errors are those of the Atelier protocol, version 1.",
      ],
      "servers": [["url": .string(Interface.base)]],
      "paths": .object(paths),
      "components": [
        "schemas": .object(schemas),
        "securitySchemes": [
          "cookie": [
            "type": "apiKey", "in": "cookie", "name": "atelier",
            "description": "The cookie of POST /session; in the personal way its name carries the port.",
          ],
          "token": [
            "type": "http", "scheme": "bearer",
            "description": "An identity token (OpenID Connect) of a configured issuer, of the public way.",
          ],
        ],
      ],
    ]
  }()

  private static func operation(_ route: Route) -> JSONObject {
    let method = route.message.flatMap { methods[$0.method] }
    var operation: JSONObject = [
      "summary": .string(route.description.summary ?? method?["summary"]?.string ?? ""),
      "security": route.access == .session || route.access == .personal ? [["cookie": []], ["token": []]] : [],
    ]
    let inPath = route.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    let hidden = Set(route.description.own + Params.hostsOwnMembers + route.names.keys)
    let params = (method?["params"]?.array ?? []).filter { !hidden.contains($0["name"]?.string ?? "") }
    var parameters = inPath.map { name -> JSONValue in
      ["name": .string(name), "in": "path", "required": true, "schema": ["type": "string"]]
    }
    if route.method == .get || route.method == .delete {
      let asked = route.description.query
      for param in params where asked.map({ $0.contains(param["name"]?.string ?? "") }) ?? true {
        parameters.append(queryParameter(param))
      }
    } else if let body = body(of: route, params) {
      operation["requestBody"] = body
    }
    if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
    operation["responses"] = responses(of: route, method)
    return operation
  }

  private static func queryParameter(_ param: JSONValue) -> JSONValue {
    var parameter: JSONObject = ["name": param["name"] ?? .null, "in": "query", "schema": param["schema"] ?? [:]]
    if let description = param["description"] { parameter["description"] = description }
    if param["required"] == true { parameter["required"] = true }
    return .object(parameter)
  }

  private static func body(of route: Route, _ params: [JSONValue]) -> JSONValue? {
    if route.description.takesPhoto {
      return ["required": true, "content": ["image/*": ["schema": ["type": "string", "format": "binary"]]]]
    }
    var properties: JSONObject = [:]
    var required: [JSONValue] = []
    if let body = route.description.body {
      for member in body {
        properties[member.name] = ["type": "string", "description": .string(member.meaning)]
        if member.isRequired { required.append(.string(member.name)) }
      }
    } else {
      for param in params {
        guard let name = param["name"]?.string else { continue }
        var schema = param["schema"]?.object ?? [:]
        if let description = param["description"] { schema["description"] = description }
        properties[name] = .object(schema)
        if param["required"] == true { required.append(.string(name)) }
      }
    }
    guard !properties.isEmpty else { return nil }
    var schema: JSONObject = ["type": "object", "properties": .object(properties)]
    if !required.isEmpty { schema["required"] = .array(required) }
    return ["required": .bool(!required.isEmpty), "content": ["application/json": ["schema": .object(schema)]]]
  }

  private static func responses(of route: Route, _ method: JSONValue?) -> JSONValue {
    var answer: JSONObject = ["description": .string(route.description.status.reasonPhrase)]
    let binary: JSONValue = ["schema": ["type": "string", "format": "binary"]]
    switch route.description.returned {
    case .result: answer["content"] = ["application/json": ["schema": method?["result"]?["schema"] ?? [:]]]
    case .json: answer["content"] = ["application/json": ["schema": ["type": "object"]]]
    case .nothing: break
    case .picture: answer["content"] = ["image/*": binary]
    case .events: answer["content"] = ["text/event-stream": ["schema": ["type": "string"]]]
    case .archive: answer["content"] = ["application/zip": binary]
    }
    let failure: JSONValue = [
      "description": "An error: its message is for the person.",
      "content": ["application/json": ["schema": ["$ref": "#/components/schemas/WebError"]]],
    ]
    var responses: JSONObject = ["\(route.description.status.code)": .object(answer), "default": failure]
    if route.method == .delete, responses["204"] == nil {
      responses["204"] = ["description": "Nothing of it is there: it was deleted before."]
    }
    return .object(responses)
  }

  /// What the protocol says of its methods, by their names.
  private static let methods: [String: JSONValue] = {
    let named = (protocolDocument["methods"]?.array ?? []).compactMap { method in
      method["name"]?.string.map { ($0, method) }
    }
    return Dictionary(named) { first, _ in first }
  }()

  private static var schemas: JSONObject {
    var schemas = protocolDocument["components"]?["schemas"]?.object ?? [:]
    schemas["WebError"] = [
      "type": "object", "required": ["error"],
      "properties": [
        "error": [
          "type": "object", "required": ["code", "kind", "message", "retryable", "timestamp"],
          "properties": [
            "code": ["type": "integer"], "kind": ["type": "string"], "message": ["type": "string"],
            "retryable": ["type": "boolean"], "retryAfterMs": ["type": "integer"], "details": ["type": "object"],
            "generationId": ["type": "string"], "provider": ["type": "string"],
            "timestamp": ["type": "string", "format": "date-time"],
          ],
        ]
      ],
    ]
    return schemas
  }

  private static let protocolDocument: JSONValue = {
    let file = embedded_openrpc()
    // Read-only data of the executable, which lives as long as the process.
    let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.size))
    return (try? JSONValue(parsing: bytes)) ?? [:]
  }()
}

import JSON

/// A function that the model may call, with text parameters that are all required.
public struct FunctionDeclaration: Sendable, Equatable {
  public struct Parameter: Sendable, Equatable {
    public var name: String
    public var description: String

    public init(name: String, description: String) {
      self.name = name
      self.description = description
    }
  }

  public var name: String
  public var description: String
  public var parameters: [Parameter]

  public init(name: String, description: String, parameters: [Parameter]) {
    self.name = name
    self.description = description
    self.parameters = parameters
  }

  /// As a JSON Schema, which is also what Google's subset of OpenAPI allows.
  var schema: JSONValue {
    let properties = parameters.map { parameter -> (String, JSONValue) in
      (parameter.name, ["type": "string", "description": .string(parameter.description)])
    }
    return [
      "type": "object", "properties": .object(JSONObject(members: properties)),
      "required": .array(parameters.map { .string($0.name) }),
    ]
  }
}

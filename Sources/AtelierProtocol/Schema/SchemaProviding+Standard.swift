import JSONRPC

extension Array: SchemaProviding where Element: Decodable {
  public static var isNamed: Bool { false }
  public static var placeholder: [Element] { [] }

  public static func schema(in builder: SchemaBuilder) -> JSONObject {
    ["type": "array", "items": .object(builder.schema(of: Element.self))]
  }
}

extension Limited: SchemaProviding {
  public static var isNamed: Bool { false }
  public static var placeholder: Limited<Rule> { Limited(wrappedValue: nil) }

  /// The rule's keywords over what its type says.
  public static func schema(in builder: SchemaBuilder) -> JSONObject {
    var schema = builder.schema(of: Rule.Value.self)
    for (keyword, value) in Rule.keywords { schema[keyword] = value }
    return schema
  }
}

extension LimitedText: SchemaProviding {
  public static var isNamed: Bool { false }
  public static var placeholder: LimitedText<Rule> { LimitedText(wrappedValue: "text") }
  public static func schema(in builder: SchemaBuilder) -> JSONObject { Rule.keywords }
}

extension LimitedInteger: SchemaProviding where Rule: IntegerRange {
  public static var isNamed: Bool { false }
  public static var placeholder: LimitedInteger<Rule> { LimitedInteger(wrappedValue: Rule.range.lowerBound) }
  public static func schema(in builder: SchemaBuilder) -> JSONObject { Rule.keywords }
}

extension Nullable: SchemaProviding {
  public static var isNamed: Bool { false }
  public static var placeholder: Nullable<Value> { Nullable(wrappedValue: nil) }

  public static func schema(in builder: SchemaBuilder) -> JSONObject {
    let schema = builder.schema(of: Value.self)
    guard case .string(let type)? = schema["type"] else { return ["anyOf": [.object(schema), ["type": "null"]]] }
    var nullable = schema
    nullable["type"] = [.string(type), "null"]
    return nullable
  }
}

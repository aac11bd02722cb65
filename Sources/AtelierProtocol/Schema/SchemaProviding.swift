import JSON

/// A type with a form of its own on the wire, which the members it decodes would not tell.
public protocol SchemaProviding {
  /// The JSON Schema of the type.
  static func schema(in builder: SchemaBuilder) -> JSONObject

  /// True where the schema is kept under the type's name and referred to.
  static var isNamed: Bool { get }

  /// Any valid value: stands in for one while the type around it is recorded.
  static var placeholder: Self { get }
}

extension SchemaProviding {
  public static var isNamed: Bool { true }
}

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

extension Identifier {
  public static var placeholder: Self { Self(rawValue: "id") }

  public static func schema(in builder: SchemaBuilder) -> JSONObject {
    var schema: JSONObject = [
      "type": "string", "minLength": 1, "maxLength": .number(JSONNumber(maximumLength)),
    ]
    schema["description"] = .string(meaning)
    return schema
  }
}

extension Timestamp: SchemaProviding {
  public static var placeholder: Timestamp { Timestamp(milliseconds: 0) }

  public static func schema(in builder: SchemaBuilder) -> JSONObject {
    [
      "type": "string", "format": "date-time",
      "description": "RFC 3339; the service writes UTC with milliseconds, as 2026-11-21T05:26:00.123Z.",
    ]
  }
}

extension Angle: SchemaProviding {
  public static var placeholder: Angle { .front }

  public static func schema(in builder: SchemaBuilder) -> JSONObject {
    [
      "description": "From -1, far left, over 0, the front, to 1, far right; left is -0.5 and right 0.5.",
      "anyOf": [
        [
          "type": "number", "minimum": .init(floatLiteral: range.lowerBound),
          "maximum": .init(floatLiteral: range.upperBound),
        ],
        ["type": "string", "enum": .array(Name.allCases.map { .string($0.rawValue) })],
      ],
    ]
  }
}

extension ProviderChoice: SchemaProviding {
  public static var placeholder: ProviderChoice { ProviderChoice(.ondevice) }

  public static func schema(in builder: SchemaBuilder) -> JSONObject {
    let id = JSONValue.object(builder.schema(of: ProviderID.self))
    return [
      "description": "One provider, or several in the order in which they are tried.",
      "anyOf": [
        id,
        [
          "type": "array", "items": id, "minItems": 1, "maxItems": .number(JSONNumber(maximumCount)),
          "uniqueItems": true,
        ],
      ],
    ]
  }
}

extension ImageSource: SchemaProviding {
  public static var placeholder: ImageSource { .path(".") }

  public static func schema(in builder: SchemaBuilder) -> JSONObject {
    let id = JSONValue.object(builder.schema(of: GenerationID.self))
    var index = ImageIndex.keywords
    index["description"] = "Which of its pictures, from 0. Default 0."
    var path = PathLength.keywords
    path["description"] = "A file; a relative path begins at the folder the service was started in."
    return [
      "description": "A picture, in exactly one of four forms.",
      "oneOf": [
        form(["path": .object(path)]),
        form(
          [
            "data": [
              "type": "string", "minLength": 4, "contentEncoding": "base64",
              "description": "The picture itself in base64: the standard alphabet, padded, without line breaks.",
            ],
            "mimeType": ["type": "string", "description": "What the host takes it for; only the bytes decide."],
          ]),
        form(["generationId": id, "index": .object(index)]),
        form(["preparedId": .object(builder.schema(of: PreparedID.self))]),
      ],
    ]
  }

  /// An object whose first member is the one that makes the form.
  private static func form(_ members: JSONObject) -> JSONValue {
    var properties = members
    properties["_meta"] = [:]
    return [
      "type": "object", "properties": .object(properties),
      "required": .array(members.keys.prefix(1).map(JSONValue.string)), "additionalProperties": false,
    ]
  }
}

extension NullResult: SchemaProviding {
  public static var isNamed: Bool { false }
  public static var placeholder: NullResult { NullResult() }
  public static func schema(in builder: SchemaBuilder) -> JSONObject { ["type": "null"] }
}

extension Generate.Answer: SchemaProviding {
  public static var placeholder: Generate.Answer { .accepted(.init(generationId: "id", state: .queued)) }

  public static func schema(in builder: SchemaBuilder) -> JSONObject {
    [
      "description": "The end; or with `detach` the acceptance.",
      "anyOf": [
        .object(builder.schema(of: Generate.Result.self)), .object(builder.schema(of: Generate.Acceptance.self)),
      ],
    ]
  }
}

extension Status.Result: SchemaProviding {
  public static var placeholder: Status.Result {
    .account(AccountStatus(account: .owner, tier: .owner, credits: .unmetered(.owner), limits: [], running: []))
  }

  public static func schema(in builder: SchemaBuilder) -> JSONObject {
    [
      "description": "By what the params name: the service, a generation, or an account.",
      "anyOf": [
        .object(builder.schema(of: ServiceStatus.self)), .object(builder.schema(of: GenerationStatus.self)),
        .object(builder.schema(of: AccountStatus.self)),
      ],
    ]
  }
}

/// A type that says in words what it and its members mean; the schema carries them.
public protocol SchemaDescribed {
  /// What the type is; empty where its members say it all.
  static var summary: String { get }

  /// What each member means, by its name on the wire.
  static var members: [String: String] { get }

  /// What holds of the members together, as JSON Schema keywords.
  static var keywords: JSONObject { get }
}

extension SchemaDescribed {
  public static var summary: String { "" }
  public static var members: [String: String] { [:] }
  public static var keywords: JSONObject { [:] }
}

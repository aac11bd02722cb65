import AtelierProtocol
import JSON
import Localization

/// A type with a form of its own on the wire, which the members it decodes would not tell.
protocol SchemaProviding {
  /// The JSON Schema of the type.
  static func schema(in builder: SchemaBuilder) -> JSONObject

  /// True where the schema is kept under the type's name and referred to.
  static var isNamed: Bool { get }

  /// Any valid value: stands in for one while the type around it is recorded.
  static var placeholder: Self { get }
}

extension SchemaProviding {
  static var isNamed: Bool { true }
}

extension Array: SchemaProviding where Element: Decodable {
  static var isNamed: Bool { false }
  static var placeholder: [Element] { [] }

  static func schema(in builder: SchemaBuilder) -> JSONObject {
    ["type": "array", "items": .object(builder.schema(of: Element.self))]
  }
}

extension Limited: SchemaProviding {
  static var isNamed: Bool { false }
  static var placeholder: Limited<Rule> { Limited(wrappedValue: nil) }

  /// The rule's keywords over what its type says.
  static func schema(in builder: SchemaBuilder) -> JSONObject {
    var schema = builder.schema(of: Rule.Value.self)
    for (keyword, value) in Rule.keywords { schema[keyword] = value }
    return schema
  }
}

extension LimitedText: SchemaProviding {
  static var isNamed: Bool { false }
  static var placeholder: LimitedText<Rule> { LimitedText(wrappedValue: "text") }
  static func schema(in builder: SchemaBuilder) -> JSONObject { Rule.keywords }
}

extension LimitedNumber: SchemaProviding {
  static var isNamed: Bool { false }
  static var placeholder: LimitedNumber<Rule> { LimitedNumber(wrappedValue: Rule.range.lowerBound) }
  static func schema(in builder: SchemaBuilder) -> JSONObject { Rule.keywords }
}

extension Nullable: SchemaProviding {
  static var isNamed: Bool { false }
  static var placeholder: Nullable<Value> { Nullable(wrappedValue: nil) }

  static func schema(in builder: SchemaBuilder) -> JSONObject {
    let schema = builder.schema(of: Value.self)
    guard case .string(let type)? = schema["type"] else { return ["anyOf": [.object(schema), ["type": "null"]]] }
    var nullable = schema
    nullable["type"] = [.string(type), "null"]
    return nullable
  }
}

extension HostPath: SchemaProviding {
  static var isNamed: Bool { false }
  static var placeholder: HostPath { HostPath(wrappedValue: nil) }
  static func schema(in builder: SchemaBuilder) -> JSONObject { ["type": "string", "x-hostPath": true] }
}

/// On the wire it is text in the language of the connection.
extension Sentence: SchemaProviding {
  static var isNamed: Bool { false }
  static var placeholder: Sentence { "text" }
  static func schema(in builder: SchemaBuilder) -> JSONObject { ["type": "string"] }
}

extension Timestamp: SchemaProviding {
  static var placeholder: Timestamp { Timestamp(milliseconds: 0) }

  static func schema(in builder: SchemaBuilder) -> JSONObject {
    builder.described(Self.self, ["type": "string", "format": "date-time"])
  }
}

extension Angle: SchemaProviding {
  static var placeholder: Angle { .front }

  static func schema(in builder: SchemaBuilder) -> JSONObject {
    let number: JSONValue = [
      "type": "number", "minimum": .init(floatLiteral: range.lowerBound),
      "maximum": .init(floatLiteral: range.upperBound),
    ]
    let name: JSONValue = ["type": "string", "enum": .array(Name.allCases.map { .string($0.rawValue) })]
    return builder.described(Self.self, ["anyOf": [number, name]])
  }
}

extension Background: SchemaProviding {
  static var placeholder: Background { .usual }

  static func schema(in builder: SchemaBuilder) -> JSONObject {
    let name: JSONValue = ["type": "string", "enum": .array(named.map { .string($0.text) })]
    let colour: JSONValue = ["type": "string", "pattern": "^#[0-9A-Fa-f]{6}$"]
    return builder.described(Self.self, ["anyOf": [name, colour]])
  }
}

extension PassportSize: SchemaProviding {
  static var placeholder: PassportSize { .standard }

  static func schema(in builder: SchemaBuilder) -> JSONObject {
    builder.described(Self.self, ["type": "string", "minLength": 2, "maxLength": 32])
  }
}

extension HeadHeight: SchemaProviding {
  static var placeholder: HeadHeight { .icao }

  static func schema(in builder: SchemaBuilder) -> JSONObject {
    builder.described(Self.self, ["type": "string", "minLength": 1, "maxLength": 32])
  }
}

extension PaperSize: SchemaProviding {
  static var placeholder: PaperSize { .a4 }

  static func schema(in builder: SchemaBuilder) -> JSONObject {
    builder.described(Self.self, ["type": "string", "minLength": 2, "maxLength": 32])
  }
}

extension ProviderChoice: SchemaProviding {
  static var placeholder: ProviderChoice { ProviderChoice(.ondevice) }

  static func schema(in builder: SchemaBuilder) -> JSONObject {
    let id = JSONValue.object(builder.schema(of: ProviderID.self))
    let several: JSONValue = [
      "type": "array", "items": id, "minItems": 1, "maxItems": .number(JSONNumber(maximumCount)), "uniqueItems": true,
    ]
    return builder.described(Self.self, ["anyOf": [id, several]])
  }
}

extension SearchArea: SchemaProviding {
  static var placeholder: SearchArea { .text("text") }

  static func schema(in builder: SchemaBuilder) -> JSONObject {
    builder.described(
      Self.self, ["anyOf": [.object(builder.schema(of: Coordinate.self)), .object(NameLength.keywords)]])
  }
}

extension ImageSource: SchemaProviding {
  static var placeholder: ImageSource { .path(".") }

  static func schema(in builder: SchemaBuilder) -> JSONObject {
    func member(_ name: String, _ schema: JSONObject) -> (String, JSONValue) {
      (name, .object(builder.described(name, of: Self.self, among: [], schema)))
    }
    let data: JSONObject = ["type": "string", "minLength": 4, "contentEncoding": "base64"]
    let forms = [
      form([member("path", PathLength.keywords)]),
      form([member("data", data), member("mimeType", ["type": "string"])]),
      form([
        member("generationId", builder.schema(of: GenerationID.self)), member("index", ImageIndex.keywords),
      ]),
      form([member("preparedId", builder.schema(of: PreparedID.self))]),
    ]
    return builder.described(Self.self, ["oneOf": .array(forms)])
  }

  /// An object whose first member is the one that makes the form.
  private static func form(_ members: [(String, JSONValue)]) -> JSONValue {
    [
      "type": "object", "properties": .object(JSONObject(members: members + [("_meta", [:])])),
      "required": .array(members.prefix(1).map { .string($0.0) }), "additionalProperties": false,
    ]
  }
}

extension NullResult: SchemaProviding {
  static var isNamed: Bool { false }
  static var placeholder: NullResult { NullResult() }
  static func schema(in builder: SchemaBuilder) -> JSONObject { ["type": "null"] }
}

extension SecretText: SchemaProviding {
  static var isNamed: Bool { false }
  static var placeholder: SecretText { SecretText("key") }

  /// `writeOnly` tells a trace which members it must hide, and hosts what they must not show.
  static func schema(in builder: SchemaBuilder) -> JSONObject { ["type": "string", "writeOnly": true] }
}

/// Not `writeOnly`, which would say that it is never returned.
extension SecretLink: SchemaProviding {
  static var isNamed: Bool { false }
  static var placeholder: SecretLink { SecretLink("https://storage.example/") }
  static func schema(in builder: SchemaBuilder) -> JSONObject { ["type": "string", "format": "uri", "x-secret": true] }
}

extension ProofText: SchemaProviding {
  static var isNamed: Bool { false }
  static var placeholder: ProofText { ProofText(SecretText("proof")) }

  static func schema(in builder: SchemaBuilder) -> JSONObject {
    var schema = SecretText.schema(in: builder)
    (schema["minLength"], schema["maxLength"]) = (1, .number(JSONNumber(PurchaseProof.maximumBytes)))
    return schema
  }
}

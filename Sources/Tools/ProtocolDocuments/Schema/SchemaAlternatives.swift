import AtelierProtocol
import JSON

// Messages that are one of several things: what each of them is, by the type's own decoder.

extension Status.Result: SchemaProviding {
  static var placeholder: Status.Result {
    .generation(
      Generation(generationId: "id", state: .queued, recipe: .headshot, account: .owner, createdAt: .placeholder))
  }

  static func schema(in builder: SchemaBuilder) -> JSONObject {
    builder.described(
      Self.self,
      [
        "anyOf": [
          .object(builder.schema(of: ServiceStatus.self)), .object(builder.schema(of: Generation.self)),
        ]
      ])
  }
}

extension CreditsEstimate: SchemaProviding {
  static var placeholder: CreditsEstimate { CreditsEstimate(Generate(recipe: .headshot)) }

  static func schema(in builder: SchemaBuilder) -> JSONObject {
    let regenerate = JSONValue.object(
      builder.described("regenerate", of: Self.self, among: [], builder.schema(of: Regenerate.self)))
    let other: JSONValue = [
      "type": "object", "properties": ["regenerate": regenerate, "_meta": [:]], "required": ["regenerate"],
      "additionalProperties": false,
    ]
    return builder.described(
      Self.self,
      ["properties": ["regenerate": regenerate], "oneOf": [.object(builder.schema(of: Generate.self)), other]])
  }
}

import AtelierProtocol
import JSON

/// A type whose members depend on each other in ways their types do not tell.
protocol SchemaConstrained {
  /// What holds of the members together, as JSON Schema keywords.
  static var keywords: JSONObject { get }
}

extension Cancel: SchemaConstrained {
  static let keywords: JSONObject = [
    "oneOf": [["required": ["generationId"]], ["required": ["idempotencyKey"]]]
  ]
}

extension CreditsPurchase: SchemaConstrained {
  /// Each platform has proofs of its own members.
  static let keywords: JSONObject = ["oneOf": .array(PurchasePlatform.allCases.map(proof))]

  private static func proof(from platform: PurchasePlatform) -> JSONValue {
    var properties: JSONObject = ["platform": ["const": .string(platform.rawValue)]]
    for member in PurchaseProof.CodingKeys.texts where !platform.proofMembers.contains(member) {
      properties[member.rawValue] = false
    }
    let required = ["platform"] + platform.proofMembers.map(\.rawValue)
    return ["required": .array(required.map { .string($0) }), "properties": .object(properties)]
  }
}

extension HistoryDelete: SchemaConstrained {
  static let keywords: JSONObject = [
    "oneOf": [
      ["required": ["generationId"], "properties": ["all": ["const": false]]],
      ["required": ["account", "all"], "properties": ["all": ["const": true], "generationId": false]],
    ]
  ]
}

extension Status: SchemaConstrained {
  /// An account only narrows what an id names.
  static let keywords: JSONObject = [
    "not": [
      "anyOf": [
        ["required": ["generationId", "idempotencyKey"]],
        ["required": ["account"], "properties": ["generationId": false, "idempotencyKey": false]],
      ]
    ]
  ]
}

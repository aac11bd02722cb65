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
  static let keywords: JSONObject = [
    "oneOf": [
      [
        "required": ["platform", "signedTransaction"],
        "properties": ["platform": ["const": "apple"], "purchaseData": false, "signature": false],
      ],
      [
        "required": ["platform", "purchaseData", "signature"],
        "properties": ["platform": ["const": "google"], "signedTransaction": false],
      ],
    ]
  ]
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

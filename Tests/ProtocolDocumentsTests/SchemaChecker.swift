import JSON

/// Checks values against the part of JSON Schema that the protocol's schema uses.
struct SchemaChecker {
  /// The document that `$ref`s point into.
  let document: JSONValue

  /// Keywords that say nothing about validity here.
  private static let annotations: Set<String> = [
    "description", "title", "format", "contentEncoding", "$schema", "$id", "$defs", "x-values", "x-hostPath", "x-secret",
    "writeOnly",
  ]

  struct UnknownKeyword: Error { var keyword: String }

  func accepts(_ value: JSONValue, _ schema: JSONValue) throws -> Bool {
    if let verdict = schema.bool { return verdict }
    for (keyword, argument) in schema.object ?? [:] where !Self.annotations.contains(keyword) {
      guard try accepts(value, keyword, argument, schema) else { return false }
    }
    return true
  }

  private func accepts(
    _ value: JSONValue, _ keyword: String, _ argument: JSONValue, _ schema: JSONValue
  ) throws -> Bool {
    let alternatives = argument.array ?? []
    switch keyword {
    case "$ref": return try accepts(value, resolved(argument.string ?? ""))
    case "type": return (argument.array ?? [argument]).contains { isOf(value, $0.string ?? "") }
    case "enum": return alternatives.contains(value)
    case "const": return value == argument
    case "anyOf": return try alternatives.contains { try accepts(value, $0) }
    case "oneOf": return try alternatives.filter { try accepts(value, $0) }.count == 1
    case "not": return try !accepts(value, argument)
    case "minimum": return value.double.map { $0 >= (argument.double ?? 0) } ?? true
    case "maximum": return value.double.map { $0 <= (argument.double ?? 0) } ?? true
    case "minLength": return value.string.map { $0.unicodeScalars.count >= (argument.int64 ?? 0) } ?? true
    case "maxLength": return value.string.map { $0.unicodeScalars.count <= (argument.int64 ?? 0) } ?? true
    case "pattern":
      let pattern = try Regex(argument.string ?? "").matchingSemantics(.unicodeScalar)
      return value.string.map { $0.contains(pattern) } ?? true
    case "minItems": return value.array.map { $0.count >= (argument.int64 ?? 0) } ?? true
    case "maxItems": return value.array.map { $0.count <= (argument.int64 ?? 0) } ?? true
    case "uniqueItems": return value.array.map { Set($0).count == $0.count } ?? true
    case "items": return try (value.array ?? []).allSatisfy { try accepts($0, argument) }
    case "required":
      return value.object.map { object in alternatives.allSatisfy { object[$0.string ?? ""] != nil } } ?? true
    case "properties":
      return try (value.object ?? [:]).allSatisfy { name, member in
        try argument[name].map { try accepts(member, $0) } ?? true
      }
    case "additionalProperties":
      return (value.object ?? [:]).allSatisfy { schema["properties"]?[$0.key] != nil }
    default: throw UnknownKeyword(keyword: keyword)
    }
  }

  private func isOf(_ value: JSONValue, _ type: String) -> Bool {
    switch (value, type) {
    case (.null, "null"), (.bool, "boolean"), (.number, "number"), (.string, "string"), (.array, "array"),
      (.object, "object"):
      true
    case (.number(let number), "integer"): number.int64 != nil
    default: false
    }
  }

  private func resolved(_ reference: String) -> JSONValue {
    reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] ?? false }
  }
}

import AtelierProtocol
import JSON

/// Writes what the schema says as Markdown: tables of members, lists of values, the errors.
struct Markdown {
  /// The named schemas.
  let definitions: JSONObject
  /// Where the type of each named schema is declared.
  let paths: [String: String]
  let export: SchemaExport
  /// What a link to a section of the reference begins with: empty in the reference itself.
  let reference: String

  private static let prefix = "#/$defs/"
  /// Schemas that are about the envelope, not about a value.
  private static let envelopes: Set = [
    "RequestId", "Results", "Details", "HostMessage", "ServiceMessage", "ProtocolError",
  ]

  init(export: SchemaExport, reference: String) {
    let builder = SchemaBuilder(referencePrefix: Self.prefix, comments: export.comments)
    definitions = export.jsonSchema(builder)["$defs"]?.object ?? [:]
    paths = builder.paths
    self.export = export
    self.reference = reference
  }

  /// The types that belong to one message, such as `Generate.Output`, in the order in which they are met.
  func types(of message: String) -> [String] {
    definitions.keys.filter { name in
      guard let path = paths[name] else { return false }
      return path.hasPrefix("\(message).") && path != "\(message).Result" && !name.hasSuffix("InResult")
    }
  }

  /// The types that belong to no message, by name.
  var values: [String] {
    let messages = Set(ProtocolDocuments.messages.map(SchemaBuilder.path))
    return definitions.keys.filter { name in
      guard let path = paths[name], !Self.envelopes.contains(name), !name.hasSuffix("InResult") else { return false }
      return !messages.contains(String(path.prefix { $0 != "." }))
    }.sorted()
  }

  /// The section of one type: what it is, and its members or values.
  func section(_ name: String, level: Int) -> String {
    let schema = definitions[name] ?? [:]
    let parts = [
      String(repeating: "#", count: level) + " " + heading(name), schema["description"]?.string ?? "", details(schema),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// What the section of a type is called: by its name, unless a method is linked to by the same one.
  private func heading(_ name: String) -> String {
    ProtocolDocuments.methods.contains { Self.anchor($0.method) == name.lowercased() } ? "\(name) type" : name
  }

  /// The members, the values or the forms of a type.
  func details(_ schema: JSONValue) -> String {
    if let values = schema["x-values"]?.object {
      return table(["value", "meaning"], values.map { ["`\"\($0.key)\"`", $0.value.string ?? ""] })
    }
    if let forms = schema["oneOf"]?.array, schema["type"] == nil, forms.allSatisfy({ $0["properties"] != nil }) {
      return forms.map(members).joined(separator: "\n\nor\n\n")
    }
    if schema["properties"] != nil { return members(schema) }
    return "On the wire: \(type(schema))."
  }

  /// The members of an object as a table; empty where there are none.
  func members(_ schema: JSONValue) -> String {
    let required = (schema["required"]?.array ?? []).compactMap(\.string)
    let members = (schema["properties"]?.object ?? [:]).filter { $0.key != "_meta" }
    if members.isEmpty { return "" }
    return table(
      ["member", "type", "meaning"],
      members.map { name, member in
        ["`\(name)`\(required.contains(name) ? "" : "?")", type(member), member["description"]?.string ?? ""]
      })
  }

  func table(_ heads: [String], _ rows: [[String]]) -> String {
    let lines = [heads, heads.map { _ in "---" }] + rows.map { $0.map { $0.replacing("|", with: "\\|") } }
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }
}

extension Markdown {
  /// What a value may be, in words, with links to the types that have a section.
  func type(_ schema: JSONValue) -> String {
    if let reference = schema["$ref"]?.string { return link(String(reference.dropFirst(Self.prefix.count))) }
    if let choices = schema["anyOf"]?.array ?? schema["oneOf"]?.array { return alternatives(choices) }
    if let names = schema["enum"]?.array {
      return names.compactMap { $0.string.map { "`\"\($0)\"`" } }.joined(separator: ", ")
    }
    if let constant = schema["const"] {
      return "`\(constant.string ?? String(decoding: constant.serialized(), as: UTF8.self))`"
    }
    if let names = schema["type"]?.array, let first = names.first {
      var one = schema.object ?? [:]
      one["type"] = first
      return type(.object(one)) + " or null"
    }
    switch schema["type"]?.string {
    case "string": return text(schema)
    case "integer", "number":
      let range = schema["minimum"].flatMap { low in schema["maximum"].map { " \(number(low))…\(number($0))" } }
      return (schema["type"]?.string ?? "") + (range ?? "")
    case "array":
      let list = "list of " + type(schema["items"] ?? [:])
      return schema["maxItems"].map { "\(list), at most \(number($0))" } ?? list
    case let name?: return name
    case nil: return "any JSON value"
    }
  }

  private func number(_ value: JSONValue) -> String {
    String(decoding: value.serialized(), as: UTF8.self).replacing("-", with: "−")
  }

  private func text(_ schema: JSONValue) -> String {
    if schema["format"] == "date-time" { return "string, a time" }
    guard let longest = schema["maxLength"] else { return "string" }
    let shortest = schema["minLength"].map { number($0) + "…" } ?? "at most "
    return "string, \(shortest)\(number(longest)) characters"
  }

  private func alternatives(_ choices: [JSONValue]) -> String {
    // An enumeration that may grow is shown as the values there are.
    if choices.count == 2, choices[0]["$ref"] != nil, choices[1] == ["type": "string"] { return type(choices[0]) }
    return choices.map { $0 == ["type": "null"] ? "null" : type($0) }.joined(separator: " or ")
  }

  /// A link to the section of a type, or to the method whose params or result it is.
  func link(_ name: String) -> String {
    let own = name.hasSuffix("InResult") ? String(name.dropLast("InResult".count)) : name
    if let method = ProtocolDocuments.methods.first(where: { "\($0.path)Params" == own })?.method {
      return "params of \(self.method(method))"
    }
    if let method = ProtocolDocuments.methods.first(where: { "\($0.path).Result" == paths[own] })?.method {
      return "result of \(self.method(method))"
    }
    return "[\(own)](\(reference)#\(Self.anchor(heading(own))))"
  }

  /// A link to the section of a method.
  func method(_ name: String) -> String { "[`\(name)`](\(reference)#\(Self.anchor(name)))" }

  /// What a heading is linked to by, as GitHub makes it.
  static func anchor(_ heading: String) -> String {
    heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == " " }
      .replacing(" ", with: "-")
  }
}

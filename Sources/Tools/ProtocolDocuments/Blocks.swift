import AtelierProtocol
import JSON

/// The generated blocks of a document, each by the name its marker gives.
struct Blocks {
  let markdown: Markdown
  private var export: SchemaExport { markdown.export }

  /// A block that there is not.
  struct UnknownBlock: Error, CustomStringConvertible {
    var name: String
    var description: String { "there is no generated block “\(name)”" }
  }

  /// The text of a block: a method or notification, `methods`, `requests to the host`,
  /// `notifications`, `values`, `errors`, `details`, or
  /// `example METHOD — TITLE`.
  func text(_ name: String) throws(UnknownBlock) -> String {
    switch name {
    case "methods": return overview(ProtocolRegistry.requests)
    case "requests to the host": return overview(ProtocolRegistry.requestsToHost)
    case "notifications": return overview(ProtocolRegistry.notificationsFromHost + ProtocolRegistry.notificationsToHost)
    case "values": return markdown.values.map { markdown.section($0, level: 3) }.joined(separator: "\n\n")
    case "errors": return errors
    case "details": return details
    default: break
    }
    if name.hasPrefix("example ") {
      guard let example = export.examples.first(where: { "example \($0.name)" == name }) else {
        throw UnknownBlock(name: name)
      }
      return fenced(example)
    }
    guard let message = ProtocolDocuments.messages.first(where: { ProtocolDocuments.method(of: $0) == name }) else {
      throw UnknownBlock(name: name)
    }
    return section(of: message)
  }

  private func overview(_ messages: [any Any.Type]) -> String {
    markdown.table(
      ["name", "summary"],
      messages.map { [markdown.method(ProtocolDocuments.method(of: $0) ?? ""), export.texts(of: $0).summary + "."] })
  }

  private func section(of message: any Any.Type) -> String {
    let path = SchemaBuilder.path(of: message)
    var parts = [export.texts(of: message).description, params(path)]
    if let request = message as? any RequestMessage.Type { parts += [result(of: request, path), failures(of: request)] }
    parts += markdown.types(of: path).map { markdown.section($0, level: 4) }
    parts += examples(ProtocolDocuments.method(of: message) ?? "")
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private func params(_ path: String) -> String {
    let schema = markdown.definitions["\(path)Params"] ?? [:]
    let table = markdown.members(schema)
    guard schema["type"] == nil, let others = schema["oneOf"]?.array?.first(where: { $0["$ref"] != nil }) else {
      return table.isEmpty ? "No params." : "Params:\n\n" + table
    }
    return "Params: the \(markdown.type(others)), or\n\n" + table
  }

  private func result<M: RequestMessage>(of message: M.Type, _ path: String) -> String {
    let schema = markdown.definitions["Results"]?["properties"]?[M.method] ?? [:]
    let name = schema["$ref"]?.string.map { String($0.split(separator: "/").last ?? "") }
    guard let name, markdown.paths[name] == "\(path).Result", let own = markdown.definitions[name] else {
      return schema["type"] == "null" ? "Result: `null`." : "Result: \(markdown.type(schema))."
    }
    let said = own["description"]?.string ?? ""
    if let choices = own["anyOf"]?.array {
      return "Result: \(choices.map(markdown.type).joined(separator: " or ")). \(said)"
    }
    let table = markdown.members(own)
    return table.isEmpty ? "Result: `{}`." : "Result: \(said)\n\n\(table)"
  }

  private func failures<M: RequestMessage>(of message: M.Type) -> String {
    var byCode: [(code: Int, kinds: [String])] = []
    for kind in M.errors.sorted(by: { $0.code < $1.code }) {
      if byCode.last?.code != kind.code { byCode.append((kind.code, [])) }
      byCode[byCode.count - 1].kinds.append("`\(kind.rawValue)`")
    }
    if byCode.isEmpty { return "" }
    let list = byCode.map { "\($0.code) \($0.kinds.joined(separator: ", "))" }.joined(separator: " · ")
    return "Errors: \(list)."
  }

  private func examples(_ method: String) -> [String] {
    export.examples.filter { $0.method == method }.map { "*\($0.title)*\n\n\(fenced($0))" }
  }

  private func fenced(_ example: Example) -> String { "```jsonl\n" + example.lines.joined(separator: "\n") + "\n```" }

  private var errors: String {
    let kinds = ErrorKind.allCases.enumerated().sorted { ($0.element.code, $0.offset) < ($1.element.code, $1.offset) }
    return markdown.table(
      ["code", "kind", "usually retryable", "message", "what to do"],
      kinds.map { _, kind in
        let advice = export.comments.text("ErrorKind.\(String(describing: kind))") ?? ""
        return ["\(kind.code)", "`\(kind.rawValue)`", kind.isRetryable ? "yes" : "no", kind.sentence.text, advice]
      })
  }

  private var details: String {
    let byKind = markdown.definitions["Details"]?["properties"]?.object ?? [:]
    return markdown.table(["kind", "`details`"], byKind.map { ["`\($0.key)`", markdown.type($0.value)] })
  }
}

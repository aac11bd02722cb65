import AtelierProtocol
import JSON

/// Everything in `protocol/` that is made of the types, their doc comments and the examples.
public struct ProtocolDocuments: Sendable {
  public let export: SchemaExport

  public init(comments: DocComments, examples: [Example]) {
    export = SchemaExport(comments: comments, examples: examples)
  }

  /// The files as they are to be, by name.
  /// - Parameter documents: the Markdown documents as they are.
  /// - Throws: ``Problem``.
  public func files(documents: [String: String]) throws -> [String: String] {
    var files = ["openrpc.json": export.openRPC().indented(), "schema.json": export.jsonSchema().indented()]
    for (name, text) in documents {
      let blocks = Blocks(
        markdown: Markdown(export: export, reference: name == Self.reference ? "" : Self.reference))
      files[name] = try Self.filled(text, in: name, blocks)
    }
    try checkExamples()
    if let text = documents[Self.reference] { try Self.checkCompleteness(of: text) }
    return files
  }

  /// The document that has a section for every method and type.
  public static let reference = "REFERENCE.md"
  /// The Markdown documents that have generated blocks.
  public static let documents = ["PROTOCOL.md", reference]

  /// Why the documents cannot be written.
  public struct Problem: Error, CustomStringConvertible {
    public var description: String
  }

  /// The public types, members and values that have no doc comment.
  public var undocumented: [String] {
    let builder = SchemaBuilder(referencePrefix: "#/$defs/", comments: export.comments)
    _ = export.jsonSchema(builder)
    let kinds = ErrorKind.allCases.map { "ErrorKind.\(String(describing: $0))" }
    return builder.undocumented + kinds.filter { export.comments.text($0) == nil }
  }
}

extension ProtocolDocuments {
  /// Every message there is.
  static let messages: [any Any.Type] =
    ProtocolRegistry.requests + ProtocolRegistry.requestsToHost + ProtocolRegistry.notificationsFromHost
    + ProtocolRegistry.notificationsToHost

  /// Every message by its Swift name and its name on the wire.
  static let methods = messages.map { (path: SchemaBuilder.path(of: $0), method: method(of: $0) ?? "") }

  /// The name of a message on the wire; nil of any other type.
  static func method(of type: any Any.Type) -> String? {
    (type as? any RequestMessage.Type)?.method ?? (type as? any NotificationMessage.Type)?.method
  }

  private static let opening = "<!-- generated: "
  private static let end = "<!-- end -->"

  /// The document with each generated block as it is to be.
  static func filled(_ text: String, in document: String, _ blocks: Blocks) throws -> String {
    var lines: [String] = []
    var open: (name: String, line: Int)?
    for (number, line) in zip(1..., text.split(separator: "\n", omittingEmptySubsequences: false)) {
      if line.hasPrefix(opening), line.hasSuffix(" -->"), open == nil {
        let name = String(line.dropFirst(opening.count).dropLast(" -->".count))
        open = (name, number)
        do { lines += [String(line), "", try blocks.text(name), "", end] } catch {
          throw Problem(description: "protocol/\(document):\(number): \(error)")
        }
      } else if line == end, open != nil {
        open = nil
      } else if open == nil {
        lines.append(String(line))
      }
    }
    if let open { throw Problem(description: "protocol/\(document):\(open.line): “\(open.name)” has no \(end)") }
    return lines.joined(separator: "\n")
  }

  /// Every method and notification has its block in the reference.
  private static func checkCompleteness(of text: String) throws(Problem) {
    for (_, method) in methods where !text.contains("\n\(opening)\(method) -->\n") {
      throw Problem(description: "protocol/\(reference) has no block “\(opening)\(method) -->”")
    }
  }

  private func checkExamples() throws(Problem) {
    for example in export.examples where !Self.methods.contains(where: { $0.method == example.method }) {
      throw Problem(description: "protocol/examples: there is no method “\(example.method)”")
    }
  }
}

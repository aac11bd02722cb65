import JSONRPC

/// The protocol as documents for machines, derived from the Swift types; see `protocol/openrpc.json` and
/// `protocol/schema.json`.
///
/// The same types always give the same text.
public enum SchemaExport {
  /// The formats the protocol can be exported in.
  public enum Format: String, Sendable, CaseIterable {
    case openRPC = "openrpc"
    case jsonSchema = "json-schema"
  }

  /// The document in `format`, indented, with a newline at its end.
  /// - Throws: `EncodingError` when an example cannot be written as JSON; a test proves that each can.
  public static func text(_ format: Format) throws -> String {
    switch format {
    case .openRPC: try openRPC().indented()
    case .jsonSchema: try jsonSchema().indented()
    }
  }

  static let purpose =
    "Atelier makes pictures of people for host programs: JSON-RPC 2.0 over stdin and stdout. "
    + "The reference is protocol/PROTOCOL.md."

  /// A schema of params, taken apart.
  struct Params {
    var properties: JSONObject
    var required: [String]
    /// What holds of several members together.
    var hasAlternatives: Bool

    init(_ schema: JSONValue?) {
      properties = schema?["properties"]?.object ?? [:]
      properties["_meta"] = nil
      required = schema?["required"]?.array?.compactMap(\.string) ?? []
      hasAlternatives = schema?["oneOf"] != nil
    }

    /// True when a message without any params can be right.
    var mayBeAbsent: Bool { required.isEmpty && !hasAlternatives }
  }
}

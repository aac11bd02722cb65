import AtelierProtocol
import CEmbedded
import JSON
import JSONRPC

/// The protocol as documents for machines, embedded as `make schema` wrote them into `protocol/`.
public enum ProtocolDocument: String, Sendable, CaseIterable {
  case openRPC = "openrpc"
  case jsonSchema = "json-schema"

  /// The file, as it is in `protocol/`.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The bytes of the file.
  private var bytes: UnsafeBufferPointer<UInt8> {
    // Read-only data of the executable: it lives as long as the process and never changes.
    let file = self == .openRPC ? embedded_openrpc() : embedded_schema()
    return UnsafeBufferPointer(start: file.bytes, count: file.size)
  }

  /// What `rpc.discover` answers; parsed when it is first asked for.
  static let discovered = Result { try JSONValue(parsing: openRPC.bytes) }
}

extension ProtocolDocument {
  /// What a trace may show of the protocol's messages: the names of members, methods and values of enumerations, and the
  /// sentences of errors.
  /// - Throws: `JSONParseError` when the embedded document is not JSON; a test proves that it is.
  public static func traceVocabulary() throws -> TraceVocabulary {
    var names: [String] = []
    var words = ProtocolRegistry.acceptedMethods + ProtocolRegistry.sentNotifications
    words += ErrorKind.allCases.map(\.rawValue) + ErrorKind.allCases.map(\.sentence)
    words += [ProviderID.ondevice, .gemini, .openai].map(\.rawValue) + [AccountID.owner.rawValue]
    collect(try JSONValue(parsing: jsonSchema.bytes), &names, &words)
    return TraceVocabulary(
      members: names, words: words, secretMembers: ["key"] + PurchaseProof.CodingKeys.texts.map(\.rawValue),
      identifierPrefixes: ["gen", "prep"])
  }

  private static func collect(_ schema: JSONValue, _ names: inout [String], _ words: inout [String]) {
    for element in schema.array ?? [] { collect(element, &names, &words) }
    for (keyword, value) in schema.object ?? [:] {
      switch keyword {
      case "properties": names += value.object?.keys ?? []
      case "enum": words += value.array?.compactMap(\.string) ?? []
      case "const": words += [value.string].compactMap { $0 }
      default: break
      }
      collect(value, &names, &words)
    }
  }
}

import JSONRPC

extension SchemaExport {
  /// What a trace may show of the protocol's messages: the names of members, methods and values of enumerations, and the
  /// sentences of errors.
  /// - Throws: as ``jsonSchema()``.
  public static func traceVocabulary() throws -> TraceVocabulary {
    var names: [String] = []
    var words = ProtocolRegistry.acceptedMethods + ProtocolRegistry.sentNotifications
    words += ErrorKind.allCases.map(\.rawValue) + ErrorKind.allCases.map(\.sentence)
    words += [ProviderID.ondevice, .gemini, .openai].map(\.rawValue) + [AccountID.owner.rawValue]
    collect(try jsonSchema(), &names, &words)
    return TraceVocabulary(
      members: names, words: words, secretMembers: ["key", "signedTransaction", "purchaseData", "signature"],
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

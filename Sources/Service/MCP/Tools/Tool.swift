import AtelierProtocol
import JSON

/// A tool, as the model sees it and as it works. To add one, add an entry to one of the tables in this folder.
struct Tool: Sendable {
  enum Work: Sendable {
    /// Makes pictures or finds places: gives the params of `generate` for the arguments.
    case make(@Sendable (Arguments, MCPSettings) throws -> JSONObject)
    case answer(@Sendable (Arguments, Call, MCPService) async throws -> ToolAnswer)
  }

  /// What a host may tell its person before it lets the model use the tool.
  enum Effect: Sendable { case reads, makes, cancels }

  let name: String
  let title: String
  let description: String
  var parameters: [Parameter] = []
  var output = GenerationReport.ofPictures
  var effect = Effect.reads
  /// Whether it may reach beyond this computer.
  var isOpenWorld = false
  let work: Work

  /// In the order in which they are listed.
  static let all: [Tool] = makingTools + lookupTools + generationTools

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  static func named(_ name: String) -> Tool? { byName[name] }

  var json: JSONValue {
    [
      "name": .string(name), "title": .string(title), "description": .string(description),
      "inputSchema": Parameter.schema(of: parameters), "outputSchema": ToolAnswer.schema(adding: output),
      "annotations": [
        "title": .string(title), "readOnlyHint": .bool(effect == .reads), "destructiveHint": .bool(effect == .cancels),
        "idempotentHint": .bool(effect != .makes), "openWorldHint": .bool(isOpenWorld),
      ],
    ]
  }
}

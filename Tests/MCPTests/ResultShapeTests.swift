import AtelierProtocol
import Engine
import Foundation
import JSON
import JSONRPC
import Providers
import ServiceFixture
import Support
import Testing

@testable import MCP

/// What results consist of. Fixtures/mcp/frameworks.json says what became of each shape in the frameworks that were tried;
/// its script is Tests/MCPClients/frameworks/run.py.
@Suite("The shape of a result", .timeLimit(.minutes(3)))
struct ResultShapeTests {
  /// What a framework did with each shape, by its name and version.
  private static func seen() throws -> [(framework: String, shapes: JSONObject)] {
    let file = try JSONValue(parsing: Fixture.bytes("mcp/frameworks.json"))
    return try #require(file.object).map { name, entry in
      ("\(name) \(entry["version"]?.string ?? "")", entry["shapes"]?.object ?? [:])
    }
  }

  /// Why the frameworks make a shape unsafe: the result is lost, or a model is sent what it cannot use.
  private static func problems(of shape: String) throws -> [String] {
    try seen().compactMap { framework, shapes in
      guard let became = shapes[shape]?.string else { return "\(framework) was not tried with \(shape)" }
      let isLost = !became.hasPrefix("text") && !became.hasPrefix("members")
      return isLost || became.contains("address as picture") ? "\(framework): \(became)" : nil
    }
  }

  /// The name that the frameworks' table has for a result.
  private static func shape(of result: JSONObject) -> String {
    var parts: [String] = []
    for block in result["content"]?.array ?? [] {
      let type = block["type"]?.string ?? "none"
      let part = ["resource_link": "link"][type] ?? type
      // Two of a kind stand for several.
      if parts.count < 2 || parts.suffix(2) != [part, part] { parts.append(part) }
    }
    return parts.joined(separator: "_")
  }

  @Test("the shapes with a link or an embedded resource are those that frameworks were seen to lose")
  func unsafe() throws {
    #expect(try Self.seen().count >= 12)
    for shape in ["text_link", "text_image_link"] {
      let problems = try Self.problems(of: shape)
      for name in ["AutoGen", "Semantic Kernel", "LangChain"] {
        #expect(problems.contains { $0.hasPrefix(name) }, "\(shape): \(problems)")
      }
    }
  }

  private static let eras: [Era] = LegacyVersion.allCases.map(Era.legacy) + [.modern]

  /// The arguments of one good call of each tool.
  private static func arguments(of tool: Tool, _ generation: String, _ folder: String) -> JSONObject {
    let values: JSONObject = [
      "photo": .string(Fixture.path("portraits/grace_hopper.jpg")), "description": "short", "instruction": "red",
      "prompt": "a boat", "generation": .string(generation), "paper": "a4", "folder": .string(folder),
    ]
    return JSONObject(
      members: tool.parameters.compactMap { parameter in values[parameter.name].map { (parameter.name, $0) } })
  }

  private func service(showing showsPictures: Bool) throws -> (MCPService, TestEngine) {
    let found = #"[{"name":"Houndstooth Coffee","city":"Austin"}]"#
    let text = ScriptedTextProvider(lookingUp: ["Houndstooth Coffee"]) { found }
    let provider = ScriptedProvider(recipes: Recipe.allCases.filter { $0 != .places })
    let engine = try ServiceFixture().engine([provider, text], geocoder: ScriptedGeocoder().geocoder())
    var settings = MCPSettings()
    settings.showsPictures = showsPictures
    return (MCPService(engine: engine.engine, settings: settings, progress: CallProgress()), engine)
  }

  private func call(_ tool: String, _ arguments: JSONObject, in era: Era) throws -> Call {
    var params: JSONObject = ["name": .string(tool), "arguments": .object(arguments)]
    if era.isModern {
      params["_meta"] = [
        "io.modelcontextprotocol/protocolVersion": .string(Era.modernVersion),
        "io.modelcontextprotocol/clientCapabilities": [:],
      ]
    }
    var session: Session?
    if case .legacy(let version) = era { session = Session(version: version, client: ClientCapabilities()) }
    return try Call(Request(id: 1, method: "tools/call", params: params), in: session)
  }

  @Test(
    "the shape of every tool's result is one that no framework loses, in every era, with previews and without",
    arguments: [true, false])
  func every(showsPictures: Bool) async throws {
    let (service, engine) = try service(showing: showsPictures)
    let folder = try TemporaryDirectory()
    for era in Self.eras {
      let made = try await service.callTool(call("create_picture", ["prompt": "a boat"], in: era))
      let id = try #require(made["structuredContent"]?["generationId"]?.string)
      for tool in Tool.all {
        let result = try await service.callTool(call(tool.name, Self.arguments(of: tool, id, folder.path), in: era))
        // There is nothing left to cancel.
        let isRefused = tool.name == "cancel_generation"
        let text = JSONValue.object(result).serializedText.prefix(300)
        #expect(result["isError"] == .bool(isRefused), "\(tool.name): \(text)")
        guard !isRefused else { continue }
        try check(result, of: tool, in: era)
        let hasPicture = result["content"]?.array?.contains { $0["type"] == "image" } == true
        let isSheet = tool.name == "make_print_sheet"
        let showing = tool.output == GenerationReport.ofPictures && !isSheet || tool.name == "get_generation"
        #expect(hasPicture == (showsPictures && showing), "\(tool.name)")
      }
      let several = try await service.callTool(call("create_picture", ["prompt": "boats", "count": 4], in: era))
      #expect(several["content"]?.array?.count == (showsPictures ? 5 : 1))
      try check(several, of: try #require(Tool.named("create_picture")), in: era)
    }
    await engine.leave()
  }

  @Test("the shape of a failure is one text, in every tool and every era")
  func failures() async throws {
    let (service, engine) = try service(showing: true)
    for era in Self.eras {
      for tool in Tool.all {
        let result = try await service.callTool(call(tool.name, ["colour": "red"], in: era))
        #expect(result["isError"] == true && Self.shape(of: result) == "text", "\(tool.name)")
        #expect(result["structuredContent"] == nil)
      }
    }
    await engine.leave()
  }

  private func check(_ result: JSONObject, of tool: Tool, in era: Era) throws {
    let shape = Self.shape(of: result)
    let problems = try Self.problems(of: shape)
    #expect(problems.isEmpty, "\(tool.name) answers \(shape) in \(era): \(problems)")
    // Hosts that pass on only the members get the same advice.
    let members = try #require(result["structuredContent"]?.object)
    let declared = try #require(tool.json["outputSchema"]?["properties"]?.object)
    for name in members.keys { #expect(declared[name] != nil, "\(tool.name) does not declare \(name)") }
    let text = try #require(result["content"]?[0]?["text"]?.string)
    let message = members["message"]?.string ?? ""
    for line in message.split(separator: "\n") { #expect(text.contains(line), "\(tool.name)") }
    #expect(tool.name.hasPrefix("list_") || !message.isEmpty, "\(tool.name)")
  }

  @Test("the members say what the text says: what happened, what is missing, and what to do")
  func advice() throws {
    var generation = Generation(
      generationId: "gen_1", state: .running, recipe: .create, account: .owner, createdAt: Timestamp(milliseconds: 0))
    let working = GenerationReport(generation).answer
    #expect(working.result["structuredContent"]?["message"] == .string(working.text))
    #expect(working.text.contains("get_generation") && working.text.contains("Do not start another one"))
    generation.state = .cancelled
    let cancelled = GenerationReport(generation).answer
    #expect(cancelled.result["structuredContent"]?["message"] == .string(cancelled.text))
    generation.state = .partial
    generation.images = [
      GeneratedImage(index: 0, path: "/a/b.png", mimeType: "image/png", width: 1, height: 1, bytes: 1, sha256: "00")
    ]
    generation.warnings = [Warning(kind: "small", message: "The photo is small.")]
    generation.failures = [
      ImageFailure(index: 1, error: AtelierError(.contentBlocked).body(at: Timestamp(milliseconds: 0)))
    ]
    let partial = try #require(GenerationReport(generation).answer.result["structuredContent"]?["message"]?.string)
    for words in ["is saved: /a/b.png", "The photo is small.", "Picture 1 is missing: "] {
      #expect(partial.contains(words), "\(partial)")
    }
  }

  @Test("a picture that cannot be shown is told apart from those that are")
  func noPreview() async throws {
    let (service, engine) = try service(showing: true)
    let made = try await service.callTool(call("create_picture", ["prompt": "boats", "count": 2], in: .modern))
    let generation = try await engine.engine.generation(
      GenerationID(rawValue: try #require(made["structuredContent"]?["generationId"]?.string)), for: service.caller)
    var lost = generation
    lost.images[1].index = 3
    let answer = await service.shown(lost)
    #expect(answer.previews.count == 1 && answer.text.hasSuffix("There is no preview of picture 3."))
    #expect(answer.result["structuredContent"]?["message"]?.string?.contains("no preview of picture 3") == true)
    await engine.leave()
  }
}

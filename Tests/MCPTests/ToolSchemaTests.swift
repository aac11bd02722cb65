import JSON
import Testing

@testable import MCP

/// The rules of docs/mcp.md: a tool that breaks one is refused by some provider, often together with all the others.
@Suite("The schemas of the tools")
struct ToolSchemaTests {
  private static let schemas = Tool.all.flatMap { tool in ["\(tool.name)/inputSchema", "\(tool.name)/outputSchema"] }

  private func schema(_ name: String) throws -> JSONValue {
    let parts = name.split(separator: "/").map(String.init)
    return try #require(Tool.named(parts[0])?.json[parts[1]])
  }

  /// A schema and every schema in it.
  private func all(_ schema: JSONValue) -> [JSONValue] {
    let inner = (schema["properties"]?.object?.values ?? []) + [schema["items"]].compactMap(\.self)
    return [schema] + inner.flatMap(all)
  }

  @Test(
    "the tool schemas have an object at the root (MCP; the TypeScript SDK drops all tools otherwise)", arguments: schemas)
  func roots(name: String) throws {
    let schema = try schema(name)
    #expect(schema["type"] == "object" && schema["properties"]?.object != nil)
  }

  @Test("the tool schemas use only keywords that Anthropic, OpenAI, Gemini and Cursor take", arguments: schemas)
  func keywords(name: String) throws {
    let schema = try schema(name)
    let known: Set = ["type", "properties", "required", "items", "enum", "description", "minimum", "maximum"]
    for part in all(schema) {
      let keywords = Set(part.object?.keys ?? [])
      #expect(keywords.isSubset(of: known), "\(name): \(part.serializedText)")
      // Gemini takes one type, as a string; a tuple's items would be an array.
      #expect(part["type"]?.string != nil, "\(name)")
      #expect(part["items"] == nil || part["items"]?.object != nil, "\(name)")
    }
  }

  @Test("the tool schemas have enumerations of strings (Gemini)", arguments: schemas)
  func enumerations(name: String) throws {
    let schema = try schema(name)
    for part in all(schema) where part["enum"] != nil {
      #expect(part["type"] == "string")
      #expect(part["enum"]?.array?.allSatisfy { $0.string?.isEmpty == false } == true)
    }
  }

  @Test("the tool schemas require only what they define (OpenAI, Gemini)", arguments: schemas)
  func required(name: String) throws {
    let schema = try schema(name)
    for part in all(schema) {
      for member in part["required"]?.array ?? [] { #expect(part["properties"]?[member.string ?? ""] != nil, "\(name)") }
    }
  }

  @Test(
    "the tool schemas have flat arguments, each described in at most 1,024 bytes (OpenAI)", arguments: Tool.all.map(\.name))
  func arguments(name: String) throws {
    let tool = try #require(Tool.named(name))
    for (_, property) in tool.json["inputSchema"]?["properties"]?.object ?? [:] {
      #expect(["string", "integer"].contains(property["type"]?.string))
      #expect((1...1_024).contains(property["description"]?.string?.utf8.count ?? 0))
    }
  }

  @Test("the tools have short names, titles, descriptions and all four annotations", arguments: Tool.all.map(\.name))
  func tools(name: String) throws {
    let json = try #require(Tool.named(name)?.json)
    // Cursor counts the name of the server too, up to 60.
    #expect(name.utf8.count <= 40 && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F })
    #expect((20...1_024).contains(json["description"]?.string?.utf8.count ?? 0))
    #expect(json["title"]?.string?.isEmpty == false)
    for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
      #expect(json["annotations"]?[hint]?.bool != nil, "\(hint)")
    }
  }

  @Test("the tools have different names, in an order that never changes")
  func names() {
    #expect(
      Tool.all.map(\.name) == [
        "make_headshot", "change_hairstyle", "edit_photo", "create_picture", "find_places", "list_hairstyles",
        "list_generations", "get_credits", "get_generation", "show_picture", "make_print_sheet", "cancel_generation",
      ])
  }

  @Test("a tool that makes pictures says that it changes something, and one that reads that it does not")
  func effects() {
    let reading = Tool.all.filter { $0.json["annotations"]?["readOnlyHint"] == true }.map(\.name)
    #expect(reading == ["list_hairstyles", "list_generations", "get_credits", "get_generation", "show_picture"])
    #expect(Tool.all.filter { $0.json["annotations"]?["destructiveHint"] == true }.map(\.name) == ["cancel_generation"])
  }
}

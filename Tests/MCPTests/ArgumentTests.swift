import AtelierProtocol
import JSON
import Testing

@testable import MCP

@Suite("The arguments of a tool")
struct ArgumentTests {
  private let settings: MCPSettings = {
    var settings = MCPSettings()
    settings.workingDirectory = "/photos"
    settings.home = "/home/anna"
    return settings
  }()

  private func refusal(_ arguments: JSONObject) throws -> String {
    let tool = try #require(Tool.named("make_headshot"))
    do {
      _ = try Arguments(arguments, for: tool)
      return ""
    } catch {
      return error.message
    }
  }

  @Test(
    "are refused with what they must be",
    arguments: [
      ([:], "photo must be a text of 1 to 4096 characters."), (["photo": nil], "photo must be a text of 1 to 4096 characters."),
      (["photo": ""], "photo must be a text of 1 to 4096 characters."), (["photo": 5], "photo must be a text of 1 to 4096 characters."),
      (["photo": "a\0b"], "photo must be a text of 1 to 4096 characters."),
      (["photo": "a", "count": 0], "count must be a whole number from 1 to 4."),
      (["photo": "a", "count": 1.5], "count must be a whole number from 1 to 4."),
      (["photo": "a", "count": "2"], "count must be a whole number from 1 to 4."),
      (["photo": "a", "background": "pink"], "background must be professional, casual, white, transparent, or a colour such as #1e90ff."),
      (["foto": "a"], #"make_headshot has no argument "foto". It takes: photo, background, format, quality, shape, size, matte, angle, count, provider, folder."#),
    ] as [(JSONObject, String)])
  func refused(arguments: JSONObject, sentence: String) throws {
    #expect(try refusal(arguments) == sentence)
  }

  @Test("may be null where they may be absent, and whole numbers may be written as fractions")
  func accepted() throws {
    let tool = try #require(Tool.named("make_headshot"))
    let arguments = try Arguments(["photo": "a", "angle": nil, "count": 2.0], for: tool)
    #expect(arguments.text("angle") == nil)
    #expect(arguments.integer("count") == 2)
  }

  @Test(
    "name a picture by path, address or generation",
    arguments: [
      ("/a/b.jpg", ["path": "/a/b.jpg"]), ("b.jpg", ["path": "/photos/b.jpg"]), ("~/b.jpg", ["path": "/home/anna/b.jpg"]),
      ("file:///a/b%20c.jpg", ["path": "/a/b c.jpg"]), ("file:///a/100%.jpg", ["path": "/a/100%.jpg"]),
      ("file://localhost/a.jpg", ["path": "/a.jpg"]), ("gen_1", ["generationId": "gen_1"]), ("gen_1.jpg", ["path": "/photos/gen_1.jpg"]),
      ("atelier://pictures/gen_1/2", ["generationId": "gen_1", "index": 2]),
      ("atelier://pictures/gen_1/-2", ["path": "/photos/atelier://pictures/gen_1/-2"]),
    ] as [(String, JSONValue)])
  func pictures(text: String, image: JSONValue) throws {
    #expect(try PictureReference(text, settings).image == image)
  }

  @Test(
    "are refused where they are data, an address on the web, or one of no file",
    arguments: ["data:image/png;base64,AA", "https://a.b/c.jpg", "file://", "file://%zz"])
  func noPictures(text: String) {
    #expect(throws: AtelierError.self) { try PictureReference(text, settings) }
  }

  @Test("of every tool that makes something become params that generate takes")
  func params() throws {
    let given: JSONObject = [
      "photo": "/a.jpg", "reference": "gen_1", "count": 2, "provider": "gemini", "folder": "out", "background": "casual", "angle": "left",
      "hairstyle": "pixie", "description": "short", "instruction": "red", "prompt": "a boat", "aspect_ratio": "3:4",
      "format": "webp", "quality": 80, "shape": "4:5", "size": 512, "matte": "file", "near": "Austin", "limit": 5, "language": "es-MX",
    ]
    for tool in Tool.makingTools {
      guard case .make(let params) = tool.work else { continue }
      let known = JSONObject(members: given.filter { member in tool.parameters.contains { $0.name == member.key } }.map { ($0.key, $0.value) })
      let object = try params(Arguments(known, for: tool), settings)
      let request = try JSONValueDecoder(unknownMembers: .reject).decode(Generate.self, from: .object(object))
      try request.validate()
      if request.recipe == .places {
        #expect(request.near == .text("Austin") && request.limit == 5 && request.language == "es-MX")
      } else {
        #expect(request.output?.directory == "/photos/out")
        #expect(request.output?.count == 2)
      }
      if request.recipe == .headshot {
        #expect(request.output?.format == .webp && request.output?.quality == 80 && request.output?.matte == true)
        #expect(request.output?.aspectRatio == "4:5" && request.output?.size == "512")
      }
      #expect(request.cache == .bypass)
    }
  }

  @Test("ask for a geocoder, in words to pass on, where places cannot be looked up")
  func noGeocoder() {
    let answer = ToolAnswer(failure: .noLocationSource, settings)
    #expect(answer.isError && answer.text.contains("Tell the person") && answer.text.contains("geocoder.baseUrl"))
    #expect(!answer.text.contains("location/search"), "no MCP host has it")
  }
}

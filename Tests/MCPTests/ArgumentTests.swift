import AtelierProtocol
import Encodings
import JSON
import JSONRPC
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
    "arguments are refused with what they must be",
    arguments: [
      ([:], "photo must be a text of 1 to 4096 characters, or a data: URL."),
      (["photo": nil], "photo must be a text of 1 to 4096 characters, or a data: URL."),
      (["photo": ""], "photo must be a text of 1 to 4096 characters, or a data: URL."),
      (["photo": 5], "photo must be a text of 1 to 4096 characters, or a data: URL."),
      (["photo": "a\0b"], "photo must be a text of 1 to 4096 characters, or a data: URL."),
      (["photo": "a", "count": 0], "count must be a whole number from 1 to 4."),
      (["photo": "a", "count": 1.5], "count must be a whole number from 1 to 4."),
      (["photo": "a", "count": "five"], "count must be a whole number from 1 to 4."),
      (["photo": "a", "count": "5"], "count must be a whole number from 1 to 4."),
      (["photo": "a", "count": "1.5"], "count must be a whole number from 1 to 4."),
      (["photo": "a", "count": "nan"], "count must be a whole number from 1 to 4."),
      (["photo": "a", "count": "1e300"], "count must be a whole number from 1 to 4."),
      (["photo": "a", "count": []], "count must be a whole number from 1 to 4."),
      (["photo": " "], "photo must be a text of 1 to 4096 characters, or a data: URL."),
      (["photo": "null"], "photo must be a text of 1 to 4096 characters, or a data: URL."),
      (["photo": "a", "background": "pink"],
        "background must be auto, professional, casual, white, transparent, keep, or a colour such as #1e90ff."),
      (["foto": "a"],
        #"make_headshot has no argument "foto". It takes: photo, background, format, quality, max_bytes, min_bytes, shape, "#
          + "passport_size, head_height, size, pixels, matte, angle, count, provider, folder."),
    ] as [(JSONObject, String)])
  func refused(arguments: JSONObject, sentence: String) throws {
    #expect(try refusal(arguments) == sentence)
  }

  @Test("arguments may be null where they may be absent, and whole numbers may be written as fractions")
  func accepted() throws {
    let tool = try #require(Tool.named("make_headshot"))
    let arguments = try Arguments(["photo": "a", "angle": nil, "count": 2.0], for: tool)
    #expect(arguments.text("angle") == nil)
    #expect(arguments.integer("count") == 2)
  }

  /// What hosts and models write for what they leave out.
  private static let nothings: [JSONValue] = [nil, "", " ", "\n\t", "null", "undefined", "None", " null "]

  @Test("arguments that mean nothing count as absent, in every tool and every optional argument", arguments: nothings)
  func nothing(value: JSONValue) throws {
    for tool in Tool.all {
      var given = JSONObject()
      for parameter in tool.parameters where parameter.isRequired { given[parameter.name] = "a" }
      let bare = try Arguments(given, for: tool)
      for parameter in tool.parameters where !parameter.isRequired { given[parameter.name] = value }
      // One of the choices of a matte is none.
      if tool.parameters.contains(where: { $0.name == "matte" }), value == "None" { given["matte"] = nil }
      let arguments = try Arguments(given, for: tool)
      for parameter in tool.parameters {
        #expect(arguments.text(parameter.name) == bare.text(parameter.name), "\(tool.name), \(parameter.name)")
        #expect(arguments.integer(parameter.name) == nil, "\(tool.name), \(parameter.name)")
      }
    }
  }

  @Test("arguments are what they mean: numbers written as texts, choices in other letters or with space around them")
  func meaning() throws {
    let tool = try #require(Tool.named("make_headshot"))
    for (text, number) in [("3", 3), (" 3 ", 3), ("3.0", 3), ("+3", 3)] {
      #expect(try Arguments(["photo": "a", "count": .string(text)], for: tool).integer("count") == number)
    }
    let arguments = try Arguments(
      ["photo": " a ", "format": "JPEG", "angle": " Left", "matte": "None", "background": " #1e90ff "], for: tool)
    #expect(arguments.text("photo") == " a ", "a path is taken as it is written")
    #expect(arguments.text("format") == "jpeg" && arguments.text("angle") == "left" && arguments.text("matte") == "none")
    #expect(arguments.text("background") == "#1e90ff")
    for background in ["White", " TRANSPARENT", "#1E90FF"] {
      #expect(try Arguments(["photo": "a", "background": .string(background)], for: tool).text("background") != nil)
    }
  }

  @Test("arguments name an area by a position as the command line does, or in words", arguments: [
    ("-33.87,151.21", ["latitude": -33.87, "longitude": 151.21]),
    (" 30.27, -97.74 ", ["latitude": 30.27, "longitude": -97.74]),
    ("Austin, Texas", "Austin, Texas"), ("5th Avenue, 10", "5th Avenue, 10"), ("91,0", nil), ("0,200", nil),
  ] as [(String, JSONValue?)])
  func area(text: String, near: JSONValue?) throws {
    let tool = try #require(Tool.named("find_places"))
    guard case .make(let params) = tool.work else { return }
    let given: JSONObject = ["prompt": "coffee", "near": .string(text)]
    if let near {
      #expect(try params(try Arguments(given, for: tool), MCPSettings())["near"] == near)
    } else {
      #expect(throws: AtelierError.self) { try Arguments(given, for: tool) }
    }
  }

  @Test("arguments of a prompt mean the same", arguments: nothings)
  func prompts(value: JSONValue) throws {
    func call(_ params: JSONObject) throws -> Call {
      try Call(Request(id: 1, method: "x", params: params), in: Session(version: .latest, client: ClientCapabilities()))
    }
    let prompt = try Prompt.get(try call(["name": "headshot", "arguments": ["photo": "/a.jpg", "background": value]]))
    #expect(JSONValue.object(prompt).serializedText.contains("background auto."))
    #expect(throws: ResponseError.self) { try Prompt.get(try call(["name": "headshot", "arguments": ["photo": value]])) }
  }

  @Test(
    "arguments may hold the picture itself, as a data: URL in any of its forms",
    arguments: [
      "data:image/png;base64,iVBORw0KGgo=", "DATA:IMAGE/PNG;BASE64,iVBORw0KGgo=", "data:;base64,iVBORw0KGgo",
      "data:image/png;charset=utf-8;base64,iVBO\nRw0K\r\n Ggo=", "data:image/png;base64,iVBORw0KGgo%3D",
      "data:image/png,%89PNG%0D%0A%1A%0A", "data:,%89PNG%0d%0a%1a%0a",
    ])
  func data(text: String) throws {
    #expect(try PictureReference(text, settings).image == ["data": "iVBORw0KGgo="])
    let tool = try #require(Tool.named("edit_photo"))
    for name in ["photo", "reference"] {
      let given: JSONObject = ["photo": "/a.jpg", "instruction": "red", name: .string(text)]
      let arguments = try Arguments(given, for: tool)
      guard case .make(let params) = tool.work else { continue }
      let request = try JSONValueDecoder(unknownMembers: .reject).decode(
        Generate.self, from: .object(try params(arguments, settings)))
      let picture = name == "photo" ? request.image : request.references?.first
      guard case .data(let image)? = picture else {
        Issue.record("\(name) is not read")
        continue
      }
      #expect(image.byteCount == 8)
    }
  }

  @Test("arguments may be longer than a path where they are a picture")
  func longData() throws {
    let bytes = [UInt8](repeating: 0xff, count: 3_000_000)
    #expect(DataURL(Array(("data:image/jpeg;base64," + Base64.encoded(bytes)).utf8)[...])?.bytes == bytes)
    let tool = try #require(Tool.named("make_headshot"))
    _ = try Arguments(["photo": .string("data:image/jpeg;base64," + Base64.encoded(bytes))], for: tool)
    #expect(throws: AtelierError.self) { try Arguments(["photo": .string(String(repeating: "a", count: 4_097))], for: tool) }
  }

  @Test(
    "arguments name a picture by path, address or generation",
    arguments: [
      ("/a/b.jpg", ["path": "/a/b.jpg"]), ("b.jpg", ["path": "/photos/b.jpg"]), ("~/b.jpg", ["path": "/home/anna/b.jpg"]),
      ("file:///a/b%20c.jpg", ["path": "/a/b c.jpg"]), ("file:///a/100%.jpg", ["path": "/a/100%.jpg"]),
      ("file://localhost/a.jpg", ["path": "/a.jpg"]), ("gen_1", ["generationId": "gen_1"]),
      ("gen_1.jpg", ["path": "/photos/gen_1.jpg"]), ("C:\\Users\\anna\\b.jpg", ["path": "C:\\Users\\anna\\b.jpg"]),
      ("\"/a/b.jpg\"", ["path": "\"/a/b.jpg\""]), ("sandbox:/mnt/data/b.png", ["path": "sandbox:/mnt/data/b.png"]),
      ("file:/a/b.jpg", ["path": "file:/a/b.jpg"]), ("atelier://pictures/gen_1/2", ["generationId": "gen_1", "index": 2]),
      ("atelier://pictures/gen_1/-2", ["path": "/photos/atelier://pictures/gen_1/-2"]),
    ] as [(String, JSONValue)])
  func pictures(text: String, image: JSONValue) throws {
    #expect(try PictureReference(text, settings).image == image)
  }

  @Test(
    "arguments are refused where they are broken data, an address on the web, or one of no file",
    arguments: [
      "data:image/png;base64,A", "data:image/png;base64,", "data:image/png;base64,a~b=", "data:image/png", "data:",
      "https://a.b/c.jpg", "HTTP://a.b/c.jpg", "file://", "file://%zz",
    ])
  func noPictures(text: String) {
    #expect(throws: AtelierError.self) { try PictureReference(text, settings) }
  }

  @Test("arguments of every tool that makes something become params that generate takes")
  func params() throws {
    let given: JSONObject = [
      "photo": "/a.jpg", "reference": "gen_1", "count": 2, "provider": "gemini", "folder": "out", "background": "casual",
      "angle": "left", "hairstyle": "pixie", "description": "short", "instruction": "red", "prompt": "a boat",
      "aspect_ratio": "3:4", "format": "webp", "quality": 80, "shape": "4:5", "size": 512, "matte": "file", "near": "Austin",
      "limit": 5, "language": "es-MX",
    ]
    for tool in Tool.makingTools {
      guard case .make(let params) = tool.work else { continue }
      let known = JSONObject(
        members: given.filter { member in tool.parameters.contains { $0.name == member.key } }.map { ($0.key, $0.value) })
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

  @Test("arguments that the tools do not have are never asked for: every error speaks of what they have", arguments: [
    (AtelierError(
      .timedOut, "It took longer than allowed. Allow more with timeoutMs.", details: ["timeoutMs": 60_000]), "60 s"),
    (AtelierError(.templateNotFound, "Choose one from templates/list.", details: ["templateId": "bobb"]), "list_hairstyles"),
    (AtelierError(.notFound), "list_generations"), (AtelierError(.noApiKey), "env block"),
    (AtelierError(.timedOut, "The picture took too long to work on."), "The picture took too long"),
  ])
  func sentences(error: AtelierError, says: String) {
    let body = error.body(at: Timestamp(milliseconds: 0))
    for text in [ToolAnswer(failure: error, settings).text, ToolSentence(body).text] {
      #expect(text.contains(says), "\(text)")
      for word in ["timeoutMs", "templates/list", "templateId"] { #expect(!text.contains(word), "\(text)") }
    }
  }

  @Test("arguments that lack something are refused in words of the tool")
  func refusals() throws {
    let tool = try #require(Tool.named("change_hairstyle"))
    guard case .make(let params) = tool.work else { return }
    for (given, says) in [
      (["photo": "/a.jpg"], "hairstyle, description or reference"),
      (["photo": "/a.jpg", "hairstyle": "bob", "views": "all", "count": 2], "leave count out"),
    ] as [(JSONObject, String)] {
      let request = try JSONValueDecoder(unknownMembers: .reject).decode(
        Generate.self, from: .object(try params(Arguments(given, for: tool), settings)))
      let error = #expect(throws: AtelierError.self) { try request.validate() }
      let text = ToolAnswer(failure: try #require(error), settings).text
      #expect(text.contains(says) && !text.contains("prompt") && !text.contains("multiAngle"), "\(text)")
    }
  }

  @Test("arguments ask for a geocoder, in words to pass on, where places cannot be looked up")
  func noGeocoder() {
    let answer = ToolAnswer(failure: .noLocationSource, settings)
    #expect(answer.isError && answer.text.contains("Tell the person") && answer.text.contains("geocoder.baseUrl"))
    #expect(!answer.text.contains("location/search"), "no MCP host has it")
  }
}

import AtelierProtocol
import Providers
import Testing

@testable import Engine

@Suite("The key of a result")
struct ResultKeyTests {
  private static let key = ResultKey(
    account: "anna", provider: "gemini", model: "m-1", recipe: .hairstyle, template: "bob", mode: .single,
    photo: String(repeating: "a", count: 64), references: [String(repeating: "b", count: 64)],
    pictures: [picture(0), picture(1)])

  private static func picture(_ variation: Int) -> ImageRequest {
    ImageRequest(
      recipe: .hairstyle, prompt: "short", style: Style(background: .professional), variation: variation, temperature: 0.8,
      seed: 5,
      aspectRatio: "1:1", size: "1K", timeoutMs: 0)
  }

  private typealias Change = @Sendable (inout ResultKey) -> Void

  private static let changes: [(String, Change)] = [
    ("account", { $0.account = "ben" }), ("provider", { $0.provider = "openai" }), ("model", { $0.model = "m-2" }),
    ("no model", { $0.model = nil }), ("a network of the operator", { $0.dependencies = ["vote"] }),
    ("recipe", { $0.recipe = .edit }), ("template", { $0.template = "bun" }),
    ("no template", { $0.template = nil }), ("mode", { $0.mode = .multiAngle }),
    ("photo", { $0.photo = String(repeating: "c", count: 64) }), ("no photo", { $0.photo = nil }),
    ("reference", { $0.references = [String(repeating: "c", count: 64)] }), ("no reference", { $0.references = [] }),
    ("two references", { $0.references += $0.references }),
    ("photo and reference swapped", { (key: inout ResultKey) in
      (key.photo, key.references) = (key.references[0], [key.photo ?? ""])
    }),
    ("prompt", { $0.pictures[1].prompt = "shorter" }), ("no prompt", { $0.pictures[1].prompt = nil }),
    ("empty prompt", { $0.pictures[1].prompt = "" }), ("angle", { $0.pictures[0].style?.angle = .left }),
    ("the front, asked for", { $0.pictures[0].style?.angle = .front }),
    ("background", { $0.pictures[0].style?.background = .casual }), ("no style", { $0.pictures[0].style = nil }),
    ("variation", { $0.pictures[1].variation = 2 }), ("temperature", { $0.pictures[0].temperature = 0.81 }),
    ("no temperature", { $0.pictures[0].temperature = nil }), ("seed", { $0.pictures[0].seed = 6 }),
    ("no seed", { $0.pictures[0].seed = nil }), ("aspect ratio", { $0.pictures[0].aspectRatio = "3:4" }),
    ("size", { $0.pictures[0].size = "2K" }), ("no size", { $0.pictures[0].size = nil }),
    ("a colour", { $0.pictures[0].style?.background = .colour(FlatColour(red: 1, green: 2, blue: 3)) }),
    ("format", { $0.pictures[0].format = .webp }), ("quality", { $0.pictures[0].quality = 80 }),
    ("crop", { $0.pictures[0].crop = .passport }), ("whole frame", { $0.pictures[0].crop = .wholeFrame }),
    ("passport size", { $0.pictures[0].passportSize = .mm51x51 }), ("most bytes", { $0.pictures[0].maximumBytes = 240_000 }),
    ("head height", { $0.pictures[0].headHeight = .icao }), ("fewest bytes", { $0.pictures[0].minimumBytes = 20_000 }),
    ("the photo's background", { $0.pictures[0].style?.background = .keep }),
    ("matte", { $0.pictures[0].wantsMatte = true }),
    ("count", { $0.pictures.removeLast() }), ("none", { $0.pictures = [] }),
  ]

  @Test("the key of a result is another one when anything is that decides what the pictures are")
  func changes() throws {
    var seen = [try Self.key.bytes(): "nothing"]
    for (name, change) in Self.changes {
      var key = Self.key
      change(&key)
      let bytes = try key.bytes()
      #expect(bytes.count == 32)
      #expect(seen[bytes] == nil, "\(name) gives the key of \(seen[bytes] ?? "")")
      seen[bytes] = name
    }
  }

  @Test("the key of a result is the same where only what does not decide differs")
  func same() throws {
    var key = Self.key
    key.pictures[0].timeoutMs = 5
    key.pictures[0].photo = [1]
    key.pictures[0].references = [[1]]
    key.pictures[0].wantsPreparedPhoto = true
    key.pictures[0].isTemperatureOurs = true
    key.pictures[0].pictureWarnings = [Warning(kind: "a", message: "b")]
    #expect(try key.bytes() == Self.key.bytes())
  }

  @Test("the key of a result has every param of a request but those that are left out by name")
  func params() throws {
    let output = Generate.Output(
      mode: .single, count: 2, directory: "/out", inline: true, aspectRatio: "1:1", size: "1K", format: .jpeg, quality: 9,
      maxBytes: 9_000, minBytes: 5_000, crop: .passport, passportSize: .mm51x51, headHeight: .icao, matte: true)
    let request = Generate(
      recipe: .edit, image: .path("/a"), references: [.path("/b")], prompt: "x", style: Style(background: .casual),
      templateId: "t", output: output, provider: ProviderChoice(.gemini), model: "m", temperature: 1, seed: 1, timeoutMs: 1,
      account: "anna", idempotencyKey: "k", cache: .use, whenOffline: .queue, waitMs: 1, private: false, detach: true,
      progress: true, metadata: ["a": 1])
    #expect(try ResultKey.params(of: request) == [:])
    var params = try request.params()
    params["sharpness"] = 3
    #expect(ResultKey.params(in: params) == ["sharpness": 3])
    params["sharpness"] = nil
    var members = try #require(params["output"]?.object)
    members["border"] = 5
    params["output"] = .object(members)
    #expect(ResultKey.params(in: params) == ["output": ["border": 5]])
    var key = Self.key
    key.params = ResultKey.params(in: params)
    #expect(try key.bytes() != Self.key.bytes())
  }
}

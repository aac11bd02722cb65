import JSON
import Testing

@testable import GeminiSimulator

@Suite("The models", .timeLimit(.minutes(2)))
struct ModelTests {
  private static func get(_ simulator: GeminiSimulator, _ path: String) async throws -> RawResponse {
    try await simulator.exchange(RawRequest("GET", path, headers: [("x-goog-api-key", "k")]))
  }

  @Test("the models are listed page by page, each once", arguments: ["v1beta", "v1"])
  func pages(version: String) async throws {
    try await withSimulator { simulator in
      var names: [String] = []
      var token: String? = ""
      while let current = token {
        try #require(names.count < 1_000, "the pages do not end")
        let page = try await Self.get(simulator, "/\(version)/models?pageSize=3&pageToken=\(current)").json
        names += page["models"]?.array?.compactMap { $0["name"]?.string } ?? []
        token = page["nextPageToken"]?.string
      }
      #expect(names == SimulatedModel.all.map { "models/\($0.id)" })
      let wrong = try await Self.get(simulator, "/\(version)/models?pageToken=nonsense")
      #expect(wrong.status == 400)
    }
  }

  @Test("the models are told one by one")
  func single() async throws {
    try await withSimulator { simulator in
      let model = try await Self.get(simulator, "/v1beta/models/gemini-3-pro-image").json
      #expect(model["supportedGenerationMethods"]?[0] == "generateContent")
      #expect(try await Self.get(simulator, "/v1beta/models/nonsense").status == 404)
    }
  }

  @Test(
    "the models make pictures of every shape and size they have",
    arguments: SimulatedModel.all.filter(\.makesImages).map(\.id))
  func sizes(id: String) async throws {
    let model = try #require(SimulatedModel.byID[id])
    try await withSimulator({ $0.pictureScale = 64 }) { simulator in
      let connection = try RawConnection(port: simulator.port)
      for (ratio, base) in model.aspectRatios {
        for size in model.imageSizes.isEmpty ? [nil] : model.imageSizes.map(Optional.init) {
          var config: JSONObject = ["aspectRatio": .string(ratio)]
          config["imageSize"] = size.map(JSONValue.string)
          let request: JSONValue = [
            "contents": [["parts": [["text": "x"]]]], "generationConfig": ["imageConfig": .object(config)],
          ]
          let response = try await connection.exchange(.generate(request, model: id))
          let picture = try #require(try response.pictures.first)
          let factor = ["512": 1, "2K": 4, "4K": 8][size ?? ""] ?? 2
          let wanted = PictureSize(width: base.width * factor / 128, height: base.height * factor / 128)
          #expect(PNGReader(picture).size == wanted, "\(id) \(ratio) \(size ?? "-")")
          let tokens = try response.json["usageMetadata"]?["candidatesTokensDetails"]?[0]?["tokenCount"]?.int64
          #expect(tokens == model.imageTokens[size ?? "1K"].map(Int64.init))
        }
      }
    }
  }

  @Test("the models give what is asked for: text and a picture, one of them, or text alone")
  func modalities() async throws {
    try await withSimulator { simulator in
      for (modalities, hasText, hasPicture) in [
        (["TEXT", "IMAGE"], true, true), (["IMAGE"], false, true), (["Text"], true, false),
      ] {
        let request: JSONValue = [
          "contents": [["parts": [["text": "x"]]]],
          "generationConfig": ["responseModalities": .array(modalities.map(JSONValue.string))],
        ]
        let parts = try await simulator.exchange(.generate(request)).parts
        #expect(parts.contains { $0["text"] != nil } == hasText)
        #expect(parts.contains { $0["inlineData"] != nil } == hasPicture)
      }
      let text = try await simulator.exchange(.generate(prompt: "x", model: "gemini-2.5-flash"))
      #expect(try text.parts.map { $0["text"] } == ["This is simulated text."])
    }
  }

  @Test("the models count what they use", arguments: SimulatedModel.all.map(\.id))
  func usage(id: String) async throws {
    try await withSimulator { simulator in
      let usage = try #require(
        try await simulator.exchange(.generate(prompt: "four letters", model: id)).json["usageMetadata"])
      func count(_ name: String) -> Int64 { usage[name]?.int64 ?? 0 }
      #expect(count("promptTokenCount") == 3)
      #expect(
        count("totalTokenCount")
          == count("promptTokenCount") + count("candidatesTokenCount") + count("thoughtsTokenCount"))
    }
  }
}

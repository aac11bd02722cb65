import JSON
import Testing

@testable import GeminiSimulator

@Suite("OpenAI's Images API", .timeLimit(.minutes(2)))
struct OpenAITests {
  private static let good: JSONValue = [
    "model": "gpt-image-2", "prompt": "x", "size": "1536x1024", "n": 2, "quality": "high", "background": "opaque",
    "output_format": "png", "moderation": "low",
  ]

  private static func form(_ fields: [RawForm.Field], key: String = "k") -> RawRequest {
    let form = RawForm(fields: fields)
    return RawRequest(
      "POST", "/v1/images/edits", body: form.bytes,
      headers: [("Content-Type", form.contentType), ("Authorization", "Bearer \(key)")])
  }

  private static let prompt = RawForm.Field(name: "prompt", bytes: Array("x".utf8))

  private static func image(
    _ name: String = "image", _ mimeType: String = "image/png", _ bytes: [UInt8] = SamplePicture.png
  ) -> RawForm.Field {
    RawForm.Field(name: name, fileName: "picture", contentType: mimeType, bytes: bytes)
  }

  @Test("the Images API makes as many pictures as asked for, each with its marker")
  func generation() async throws {
    try await withSimulator { simulator in
      let response = try await simulator.exchange(.openAI("generations", Self.good))
      let json = try response.json
      let pictures = json["data"]?.array?.compactMap { $0["b64_json"]?.string.flatMap(Decoded.base64) } ?? []
      #expect(
        pictures.map { PictureMarker(in: $0) } == (0..<2).map { PictureMarker(prompt: "x", request: 1, index: $0) })
      #expect(pictures.allSatisfy { PNGReader($0).size == PictureSize(width: 96, height: 64) })
      #expect(json["size"] == "1536x1024" && json["output_format"] == "png" && json["quality"] == "high")
      #expect(response.header("x-request-id") != nil)
      try #require(!simulator.requests.isEmpty)
      #expect(simulator.requests[0].model == "gpt-image-2" && simulator.requests[0].credential.place == .bearer)
    }
  }

  @Test("the Images API edits one picture or several, with or without a mask")
  func edits() async throws {
    try await withSimulator { simulator in
      let forms = [
        [Self.prompt, Self.image()], [Self.prompt, Self.image(), Self.image("mask")],
        [Self.image("image[]"), Self.image("image[]", "image/jpeg", SamplePicture.jpeg), Self.prompt],
        [Self.prompt, Self.image("image[]", "image/webp", SamplePicture.webp)],
      ]
      for form in forms {
        let response = try await simulator.exchange(Self.form(form))
        #expect(response.status == 200, "\(response.text)")
      }
      let roles = simulator.requests.map { $0.facts?.images.map(\.role) }
      #expect(roles == [["image"], ["image", "mask"], ["image", "image"], ["image"]])
      #expect(simulator.requests.allSatisfy { $0.facts?.prompt == "x" && $0.operation == .imageEdit })
    }
  }

  @Test("the Images API reads forms whose pictures hold boundaries and line ends, whatever their bytes")
  func trickyForm() async throws {
    let form = RawForm(fields: [
      RawForm.Field(name: "a", bytes: Array("\r\n--\(RawForm.boundary.dropLast())\r\n--".utf8)),
      RawForm.Field(name: "b", bytes: []), RawForm.Field(name: "c", bytes: Array("x--\(RawForm.boundary)".utf8)),
      RawForm.Field(name: "d", bytes: Array(UInt8.min...UInt8.max)),
    ])
    let read = try ReceivedForm(form.bytes, contentType: form.contentType)
    #expect(read.fields.map(\.name) == form.fields.map(\.name))
    #expect(read.fields.map(\.bytes) == form.fields.map(\.bytes))
    #expect(throws: HTTPAnswer.self) { try ReceivedForm(form.bytes.dropLast(4), contentType: form.contentType) }
    #expect(throws: HTTPAnswer.self) { try ReceivedForm(form.bytes, contentType: "multipart/form-data") }
    #expect(throws: HTTPAnswer.self) { try ReceivedForm([], contentType: form.contentType) }
  }

  @Test("the Images API streams partial pictures before the whole one")
  func stream() async throws {
    try await withSimulator { simulator in
      let request = Self.good.with("stream", value: true).with("partial_images", value: 2).with("n", value: 1)
      let response = try await simulator.exchange(.openAI("generations", request))
      let events = try response.events.map { try JSONValue(parsing: Array($0.utf8)) }
      #expect(
        events.map { $0["type"]?.string } == [
          "image_generation.partial_image", "image_generation.partial_image", "image_generation.completed",
        ])
      #expect(events.map { $0["partial_image_index"]?.int64 } == [0, 1, nil])
      #expect(events.map { $0["usage"] != nil } == [false, false, true])
      #expect(response.text.hasPrefix("event: image_generation.partial_image\ndata: "))
    }
  }

  static let refused: [(JSONValue, String, String?)] = [
    (good.with("foo", value: 1), "foo", "unknown_parameter"),
    (good.with("response_format", value: "b64_json"), "response_format", "unknown_parameter"),
    (good.with("input_fidelity", value: "high"), "input_fidelity", "unknown_parameter"),
    (good.with("seed", value: 1), "seed", "unknown_parameter"),
    (good.with("prompt", value: nil), "prompt", "missing_required_parameter"),
    (good.with("prompt", value: 7), "prompt", "invalid_type"),
    (good.with("prompt", value: .string(String(repeating: "x", count: 32_001))), "prompt", "string_above_max_length"),
    (good.with("n", value: 0), "n", "integer_below_min_value"),
    (good.with("n", value: 11), "n", "integer_above_max_value"), (good.with("n", value: "two"), "n", "invalid_type"),
    (good.with("size", value: "17x17"), "size", "invalid_value"),
    (good.with("size", value: "4096x4096"), "size", "invalid_value"),
    (good.with("size", value: "2048x512"), "size", "invalid_value"),
    (good.with("quality", value: "best"), "quality", "invalid_value"),
    (good.with("partial_images", value: 4), "partial_images", "integer_above_max_value"),
    (good.with("background", value: "transparent").with("output_format", value: "jpeg"), "background", "invalid_value"),
  ]

  @Test("the Images API refuses what is not good with the parameter and a code", arguments: refused)
  func refuses(_ request: JSONValue, _ param: String, _ code: String?) async throws {
    try await withSimulator { simulator in
      let response = try await simulator.exchange(.openAI("generations", request))
      #expect(response.status == 400)
      #expect(response.error?["param"]?.string == param && response.error?["code"]?.string == code)
      #expect(response.error?["type"] == "invalid_request_error")
    }
  }

  @Test("the Images API refuses pictures that are not good")
  func refusedPictures() async throws {
    let other = SamplePicture.otherPNG
    let forms: [([RawForm.Field], String?)] = [
      ([Self.prompt], "missing_required_parameter"),
      ([Self.prompt, Self.image(), Self.image()], "duplicate_parameter"),
      ([Self.prompt, Self.image("image", "image/gif")], "unsupported_file_mimetype"),
      ([Self.prompt, Self.image("image", "image/jpeg")], "invalid_image_file"),
      ([Self.prompt, Self.image("image", "image/png", SamplePicture.png.dropLast(9))], "invalid_image_file"),
      ([Self.prompt, Self.image(), Self.image("mask", "image/png", other)], "invalid_image_size"),
      ([Self.prompt, Self.image(), Self.image("mask", "image/jpeg", SamplePicture.jpeg)], "invalid_image_format"),
      ([Self.prompt, RawForm.Field(name: "image", bytes: SamplePicture.png)], "invalid_type"),
      ([Self.prompt] + Array(repeating: Self.image("image[]"), count: 17), "array_above_max_length"),
    ]
    try await withSimulator { simulator in
      for (form, code) in forms {
        let response = try await simulator.exchange(Self.form(form))
        #expect(response.status == 400 && response.error?["code"]?.string == code, "\(response.text)")
      }
    }
  }

  @Test("the Images API asks for a good key, and never says it")
  func keys() async throws {
    try await withSimulator { simulator in
      let none = try await simulator.exchange(.openAI("generations", Self.good, key: nil))
      #expect(none.status == 401 && none.error?["code"] == .null)
      let bad = try await simulator.exchange(.openAI("generations", Self.good, key: "bad-secret"))
      #expect(bad.status == 401 && bad.error?["code"] == "invalid_api_key")
      #expect(!bad.text.contains("bad-secret"))
    }
  }

  @Test("a local server needs no key and takes any model and more parameters")
  func localServer() async throws {
    try await withSimulator({ $0.isLocalServer = true }) { simulator in
      let request = Self.good.with("model", value: "sdxl").with("seed", value: 7).with("strength", value: 0.5)
      #expect(try await simulator.exchange(.openAI("generations", request, key: nil)).status == 200)
      let unknown = try await simulator.exchange(.openAI("generations", request.with("foo", value: 1), key: nil))
      #expect(unknown.status == 400)
    }
  }

  @Test("the Images API lists its models")
  func models() async throws {
    try await withSimulator { simulator in
      let list = RawRequest("GET", "/v1/models", headers: [("Authorization", "Bearer k")])
      let json = try await simulator.exchange(list).json
      #expect(json["object"] == "list" && json["data"]?[0]?["object"] == "model")
      var one = list
      one.path = "/v1/models/gpt-image-2"
      #expect(try await simulator.exchange(one).json["id"] == "gpt-image-2")
      one.path = "/v1/models/nonsense"
      #expect(try await simulator.exchange(one).error?["code"] == "model_not_found")
    }
  }

  @Test("the Images API has faults of its own", arguments: OpenAIFault.allCases)
  func faults(_ fault: OpenAIFault) async throws {
    try await withSimulator { simulator in
      simulator.enqueue(.openAI(fault))
      var request = Self.good
      if fault == .streamError { request = request.with("stream", value: true) }
      let response = try await simulator.exchange(.openAI("generations", request))
      try #require(!simulator.requests.isEmpty)
      #expect(simulator.requests[0].fault == fault.rawValue)
      #expect(response.status == Fault.openAI(fault).entry.status ?? 200)
      let data = try? response.json["data"]?.array
      switch fault {
      case .url: #expect(data?.allSatisfy { $0["url"] != nil && $0["b64_json"] == nil } == true)
      case .urlAndData: #expect(data?.allSatisfy { $0["url"] != nil && $0["b64_json"] == .null } == true)
      case .emptyData: #expect(data == [])
      case .noData: #expect(data == nil && (try? response.json["usage"]) != nil)
      case .fewer: #expect(data?.count == 1)
      case .streamError: #expect(response.text.hasPrefix("event: error\n"))
      case .detail, .detailList: #expect(try response.json["detail"] != nil)
      case .errorText: #expect(response.error == "generation failed")
      case .rateLimit: #expect(response.header("Retry-After") == "12")
      default: #expect(response.error?["message"]?.string?.isEmpty == false)
      }
    }
  }

  @Test("the Images API answers the HTTP errors of the other API in its own shape, and shares its broken answers")
  func shared() async throws {
    try await withSimulator { simulator in
      simulator.enqueue(.error(.overloaded), .answer(.notAnImage), .answer(.html), .transport(.truncatedBody))
      let error = try await simulator.exchange(.openAI("generations", Self.good))
      #expect(error.status == 503 && error.error?["type"] == "server_error" && error.error?["status"] == nil)
      let text = try await simulator.exchange(.openAI("generations", Self.good)).json["data"]?[0]?["b64_json"]?.string
      #expect(text.flatMap(Decoded.base64) == Array("This is no picture.".utf8))
      #expect(try await simulator.exchange(.openAI("generations", Self.good)).text.contains("<html>"))
      await #expect(throws: RawResponse.Incomplete.self) {
        try await simulator.exchange(.openAI("generations", Self.good))
      }
    }
  }
}

import Encodings
import JSON
import Testing

@testable import GeminiSimulator

@Suite("What a request must be", .timeLimit(.minutes(2)))
struct StrictnessTests {
  /// A good request that uses most of what there is.
  static let good: JSONValue = [
    "systemInstruction": ["parts": [["text": "be brief"]]],
    "contents": [
      [
        "role": "user",
        "parts": [
          ["text": "make it red"],
          ["inlineData": ["mimeType": "image/png", "data": .string(Base64.encoded(SamplePicture.png))]],
        ],
      ]
    ],
    "generationConfig": [
      "responseModalities": ["TEXT", "IMAGE"], "imageConfig": ["aspectRatio": "16:9", "imageSize": "2K"],
      "temperature": 1.0, "topP": 0.95, "maxOutputTokens": 32768, "candidateCount": 1, "seed": 7,
      "thinkingConfig": ["thinkingLevel": "HIGH", "includeThoughts": true],
    ],
    "safetySettings": [["category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_ONLY_HIGH"]],
  ]

  struct Refused: Sendable, CustomTestStringConvertible {
    var request: JSONValue
    var message: String
    var model = RawRequest.model

    var testDescription: String { message }

    init(_ path: [String], _ value: JSONValue, _ message: String, model: String = RawRequest.model) {
      request = path.reversed().reduce(value) { JSONValue.object([$1: $0]) }.merged(into: StrictnessTests.good)
      self.message = message
      self.model = model
    }
  }

  @Test("The official example is good, in both spellings and both alphabets")
  func acceptsGood() async throws {
    try await withSimulator { simulator in
      #expect(try await simulator.exchange(.generate(Self.good)).status == 200)
      let text = Self.good.serializedText
        .replacing("inlineData", with: "inline_data").replacing("mimeType", with: "mime_type")
        .replacing("generationConfig", with: "generation_config").replacing("aspectRatio", with: "aspect_ratio")
      let snakes = try JSONValue(parsing: Array(text.utf8))
      #expect(try await simulator.exchange(.generate(snakes)).status == 200)
      let data = JSONValue.string(Base64URL.encoded(SamplePicture.png))
      let other = Self.good.with("contents", "0", "parts", "1", "inlineData", "data", value: data)
      #expect(try await simulator.exchange(.generate(other)).status == 200)
      #expect(Set(simulator.requests.map(\.facts?.images.first?.fingerprint)).count == 1)
    }
  }

  static let refused: [Refused] = [
    Refused(
      ["generationConfig", "foo"], 1,
      #"Invalid JSON payload received. Unknown name "foo" at 'generation_config': Cannot find field."#),
    Refused(["foo"], 1, #"Invalid JSON payload received. Unknown name "foo": Cannot find field."#),
    Refused(
      ["generationConfig", "imageConfig", "imageOutputOptions"], [:],
      #"Unknown name "imageOutputOptions" at 'generation_config.image_config': Cannot find field."#),
    Refused(["generationConfig", "safetySettings"], [], #"Unknown name "safetySettings" at 'generation_config'"#),
    Refused(["imageConfig"], ["aspectRatio": "1:1"], #"Unknown name "imageConfig": Cannot find field."#),
    Refused(["generationConfig", "imageConfig", "imageSize"], "2k", "image_size must be one of '1K', '2K', '4K'"),
    Refused(["generationConfig", "imageConfig", "imageSize"], "512", "image_size must be one of"),
    Refused(
      ["generationConfig", "imageConfig", "imageSize"], "1K", "image_size is not supported",
      model: "gemini-2.5-flash-image"),
    Refused(["generationConfig", "imageConfig", "aspectRatio"], "9:21", "aspect_ratio must be one of"),
    Refused(
      ["generationConfig", "imageConfig"], ["aspectRatio": "1:8", "imageSize": nil], "aspect_ratio must be one of",
      model: "gemini-2.5-flash-image"),
    Refused(
      ["generationConfig", "imageConfig", "imageSize"], nil, "Thinking is not enabled",
      model: "gemini-2.5-flash-image"),
    Refused(
      ["generationConfig", "thinkingConfig", "thinkingLevel"], "LOW", "Thinking level LOW is not supported"),
    Refused(
      ["generationConfig", "thinkingConfig", "thinkingLevel"], "HUGE",
      "Invalid value at 'generation_config.thinking_config.thinking_level'"),
    Refused(["generationConfig", "thinkingConfig", "thinkingBudget"], 100, "only one of thinking budget"),
    Refused(["generationConfig", "responseModalities"], ["VIDEO"], "Invalid value at 'generation_config."),
    Refused(["generationConfig", "responseModalities"], ["AUDIO"], "combination of response modalities"),
    Refused(["generationConfig", "responseMimeType"], "application/json", "JSON mode is not enabled"),
    Refused(["generationConfig", "temperature"], 2.5, "temperature: must be in the range [0.0, 2.0]"),
    Refused(["generationConfig", "temperature"], "hot", "(TYPE_FLOAT)"),
    Refused(["generationConfig", "candidateCount"], 2, "Multiple candidates is not enabled"),
    Refused(["generationConfig", "seed"], 1.5, "(TYPE_INT32)"),
    Refused(["generationConfig", "seed"], 3_000_000_000, "(TYPE_INT32)"),
    Refused(["tools"], [["functionDeclarations": [["name": "f"]]]], "Function calling is not enabled"),
    Refused(["safetySettings"], [["category": "HARM_CATEGORY_IMAGE_HATE"]], "Invalid value at 'safety_settings[0]"),
    Refused(["contents"], [], "contents is not specified"),
    Refused(["contents"], "text", "Invalid value at 'contents' (type.googleapis.com"),
    Refused(["contents"], [["role": "assistant", "parts": [["text": "x"]]]], "Please use a valid role: user, model."),
    Refused(["contents"], [["role": "user", "parts": []]], "contents.parts must not be empty"),
    Refused(["contents"], [["parts": [["thought": true]]]], "required oneof field 'data'"),
    Refused(
      ["contents"], [["parts": [["text": "x", "inlineData": ["mimeType": "image/png", "data": "AAAA"]]]]],
      "oneof field 'data' is already set"),
    Refused(["contents"], [["parts": [picture("image/jpg", SamplePicture.jpeg)]]], "Unsupported MIME type: image/jpg"),
    Refused(["contents"], [["parts": [picture("image/gif", SamplePicture.jpeg)]]], "Unsupported MIME type: image/gif"),
    Refused(["contents"], [["parts": [picture("image/png", SamplePicture.jpeg)]]], "Unable to process input image"),
    Refused(["contents"], [["parts": [picture("image/jpeg", SamplePicture.png)]]], "Unable to process input image"),
    Refused(
      ["contents"], [["parts": [picture("image/png", SamplePicture.png.dropLast(20))]]],
      "Unable to process input image"),
    Refused(
      ["contents"], [["parts": [["inlineData": ["mimeType": "image/png", "data": "iVBOR!"]]]]], "(TYPE_BYTES)"),
    Refused(
      ["contents"], [["parts": .array(Array(repeating: picture("image/png", SamplePicture.png), count: 15))]],
      "at most 14 images"),
    Refused(["contents"], [["parts": [["text": "x [[fault:no-such-thing]]"]]]], "There is no fault named"),
  ]

  private static func picture(_ mimeType: String, _ bytes: some Sequence<UInt8>) -> JSONValue {
    ["inlineData": ["mimeType": .string(mimeType), "data": .string(Base64.encoded(Array(bytes)))]]
  }

  @Test("A request that is not good is refused with what is wrong", arguments: refused)
  func refuses(_ refused: Refused) async throws {
    try await withSimulator { simulator in
      let response = try await simulator.exchange(.generate(refused.request, model: refused.model))
      #expect(response.status == 400)
      #expect(response.error?["status"] == "INVALID_ARGUMENT")
      let message = response.error?["message"]?.string ?? ""
      #expect(message.contains(refused.message), "\(message)")
    }
  }

  @Test("Everything that is wrong with the fields is told at once")
  func severalViolations() async throws {
    try await withSimulator { simulator in
      let request = Self.good.with("generationConfig", "foo", value: 1).with("contents", "0", "bar", value: 2)
      let response = try await simulator.exchange(.generate(request))
      let details = try #require(response.error?["details"]?[0])
      #expect(details["@type"] == "type.googleapis.com/google.rpc.BadRequest")
      let fields = details["fieldViolations"]?.array?.compactMap { $0["field"]?.string } ?? []
      #expect(Set(fields) == ["generation_config", "contents[0]"])
    }
  }

  @Test("Pictures of every kind that is taken are taken")
  func pictures() async throws {
    try await withSimulator { simulator in
      for (mimeType, bytes) in [
        ("image/png", SamplePicture.png), ("image/jpeg", SamplePicture.jpeg), ("image/webp", SamplePicture.webp),
      ] {
        let request: JSONValue = ["contents": [["parts": [Self.picture(mimeType, bytes)]]]]
        let response = try await simulator.exchange(.generate(request))
        #expect(response.status == 200, "\(mimeType)")
        // 64 × 36 is 16:9, and the answer follows it.
        #expect(PNGReader(try response.pictures[0]).size == PictureSize(width: 86, height: 48), "\(mimeType)")
      }
    }
  }

  @Test("Nothing is answered without a good key")
  func keys() async throws {
    try await withSimulator { simulator in
      let none = try await simulator.exchange(.generate(Self.good, key: nil))
      #expect(none.status == 403)
      #expect(none.error?["status"] == "PERMISSION_DENIED")
      let bad = try await simulator.exchange(.generate(Self.good, key: "bad-key"))
      #expect(bad.status == 400)
      #expect(bad.error?["details"]?[0]?["reason"] == "API_KEY_INVALID")
      var inQuery = RawRequest.generate(Self.good, key: nil)
      inQuery.path += "?key=secret-in-url"
      #expect(try await simulator.exchange(inQuery).status == 200)
      let places = simulator.requests.map(\.credential.place)
      #expect(places == [.none, .header, .query])
      #expect(!"\(simulator.requests)".contains("secret-in-url"))
      #expect(!"\(simulator.requests)".contains("bad-key"))
    }
  }

  @Test("Unknown models, methods, paths, types and parameters of the query are refused")
  func addresses() async throws {
    try await withSimulator { simulator in
      let retired = try await simulator.exchange(.generate(Self.good, model: "gemini-2.5-flash-image-preview"))
      #expect(retired.status == 404)
      #expect(retired.error?["message"]?.string?.contains("Call ListModels") == true)
      let method = try await simulator.exchange(.generate(Self.good, method: "predict"))
      #expect(method.status == 404)
      #expect(method.header("Content-Type")?.hasPrefix("text/html") == true)
      var query = RawRequest.generate(Self.good)
      query.path += "?model=x"
      #expect(try await simulator.exchange(query).error?["message"]?.string?.contains("Cannot bind query") == true)
      var form = RawRequest.generate(Self.good)
      form.headers[1] = ("Content-Type", "application/x-www-form-urlencoded")
      #expect(try await simulator.exchange(form).status == 400)
      var broken = RawRequest.generate(Self.good)
      broken.body.removeLast()
      #expect(try await simulator.exchange(broken).error?["message"]?.string?.hasPrefix("Invalid JSON payload") == true)
    }
  }
}

extension JSONValue {
  /// The members of this one put into another, level by level.
  fileprivate func merged(into other: JSONValue) -> JSONValue {
    guard case .object(let mine) = self, case .object(var theirs) = other else { return self }
    for (key, value) in mine { theirs[key] = theirs[key].map { value.merged(into: $0) } ?? value }
    return .object(theirs)
  }
}

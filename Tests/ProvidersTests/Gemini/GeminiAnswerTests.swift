import AtelierProtocol
import Encodings
import Imaging
import JSON
import Testing

@testable import Providers

@Suite("An answer of Gemini's")
struct GeminiAnswerTests {
  private func part(_ name: String, _ more: JSONObject = [:]) throws -> JSONValue {
    var part = more
    part["inlineData"] = ["mimeType": "image/png", "data": .string(Base64.encoded(try GeminiTest.photo(name)))]
    return .object(part)
  }

  private func candidate(_ parts: [JSONValue], _ reason: JSONValue = "STOP") -> JSONValue {
    ["content": ["role": "model", "parts": .array(parts)], "finishReason": reason]
  }

  private func image(
    _ json: JSONValue, asked: ImageRequest = GeminiTest.request(), model: String = "gemini-nano-banana-2.1"
  ) throws -> ProviderImage {
    let model = try #require(GeminiModel(checking: model))
    return try GeminiTest.answer(json).image(asked: asked, model: model, prices: .defaults)
  }

  @Test("an answer of Gemini's gives its picture untouched, called what it is", arguments: [
    ("plain.png", "image/png"), ("plain.jpg", "image/jpeg"), ("plain.webp", "image/webp"),
    ("private.jpg", "image/jpeg"),
  ])
  func untouched(name: String, mimeType: String) throws {
    let image = try image(.object(try GeminiTest.response(picture: name)))
    #expect(image.bytes == (try GeminiTest.photo(name)))
    #expect(image.mimeType == mimeType)
    #expect(image.width > image.height)
    #expect(image.text == "Here you go.")
    #expect(image.warnings == [])
  }

  @Test("the picture in an answer of Gemini's is found among whatever parts and candidates there are")
  func walking() throws {
    let wanted = try GeminiTest.photo("plain.webp")
    let thought = try part("plain.png", ["thought": true])
    let shapes: [[JSONValue]] = [
      [candidate([thought, ["text": "**Thinking**", "thought": true], try part("plain.webp")])],
      [candidate([]), ["finishReason": "STOP"], candidate([try part("plain.webp")])],
      [7, "x", candidate([1, ["functionCall": [:]], ["text": 5], try part("plain.webp"), ["new": [:]]])],
      [candidate([try part("plain.png")], "SAFETY"), candidate([try part("plain.webp")], "STOP")],
      [candidate([["inlineData": ["data": "AAAA"]], try part("plain.webp")])],
      [candidate([try part("plain.webp")], "SOMETHING_NEW")], [candidate([try part("plain.webp")], nil)],
      [candidate([try part("plain.webp")], "MAX_TOKENS")], [candidate([try part("plain.webp")], 7)],
    ]
    for shape in shapes {
      let json: JSONValue = ["candidates": .array(shape), "modelStatus": ["new": []], "x": nil]
      #expect(try GeminiTest.answer(json).bytes == wanted)
      #expect(try GeminiTest.answer([json]).bytes == wanted, "in an array of one")
    }
    let shown = try GeminiTest.answer(["candidates": .array(shapes[0])])
    #expect(shown.text == nil, "thoughts are not told")
  }

  @Test("the picture in an answer at Google's address is found in whatever form it comes")
  func otherForms() throws {
    let picture = try GeminiTest.photo("plain.png")
    let base64 = Base64.encoded(picture)
    let google = JSONValue.object(try GeminiTest.response()).serializedText
    let words = #"{"candidates":[{"content":{"role":"model","parts":[{"text":"Here"}]}}]}"#
    let end = #"{"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"candidatesTokenCount":7}}"#
    for body in [
      "data: \(google)\r\n\r\n", "data: \(google)", "data: \(words)\n\ndata: \(google)\n\ndata: \(end)\n\n",
      "[\(words),\(google),\(end)]", #"{"data":[{"b64_json":"\#(base64)"}]}"#,
      #"{"predictions":[{"mimeType":"image/png","bytesBase64Encoded":"\#(base64)"}]}"#,
      #"{"candidates":[{"content":{"parts":[{"text":"![x](data:image/png;base64,\#(base64))"}]}}]}"#,
      "data: {\"type\":\"image_generation.completed\",\"b64_json\":\"\(base64)\"}\n\n",
    ] {
      #expect(try GeminiTest.answer(Array(body.utf8)).bytes == picture, "\(body.prefix(80))")
    }
    #expect(try GeminiTest.answer(picture).bytes == picture)
    let counted = try GeminiTest.answer(Array("data: \(google)\n\ndata: \(end)\n\n".utf8))
    #expect(counted.usage?.candidates == 7)
    let refused = #"{"candidates":[{"finishReason":"IMAGE_SAFETY"}]}"#
    let error = try GeminiTest.failure(Array("data: \(google)\n\ndata: \(refused)\n\n".utf8), status: 200)
    #expect(error.kind == .contentBlocked)
  }

  @Test("the picture in an answer of Gemini's may have its base64 in any form")
  func base64() throws {
    let bytes = try GeminiTest.photo("plain.jpg")
    let standard = Base64.encoded(bytes)
    let urlSafe = String(standard.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    for text in [standard, urlSafe, String(standard.prefix { $0 != "=" }), String(urlSafe.prefix { $0 != "=" })] {
      let json: JSONValue = ["candidates": [["content": ["parts": [["inlineData": ["data": .string(text)]]]]]]]
      #expect(try GeminiTest.answer(json).bytes == bytes)
    }
  }

  @Test("an answer of Gemini's keeps the first of several pictures, and says so")
  func several() throws {
    let image = try image(["candidates": [candidate([try part("plain.png"), try part("plain.jpg")])]])
    #expect(image.mimeType == "image/png")
    try #require(image.warnings.map(\.kind) == ["extra_images"])
    #expect(image.warnings[0].message.text.contains("2 pictures"))
    #expect(image.turn == nil, "the second picture is not kept")
  }

  @Test("an answer of Gemini's is counted by its tokens")
  func usage() throws {
    let usage: JSONValue = [
      "promptTokenCount": 300, "toolUsePromptTokenCount": 7, "candidatesTokenCount": 1130, "thoughtsTokenCount": 90,
      "totalTokenCount": 1527, "promptTokensDetails": [
        ["modality": "TEXT", "tokenCount": 42], ["modality": "IMAGE", "tokenCount": 258],
      ], "candidatesTokensDetails": [["modality": "IMAGE", "tokenCount": 1120]],
    ]
    let rest: JSONObject = ["usageMetadata": usage, "modelVersion": "gemini-nano-banana-2.1"]
    let image = try image(.object(try GeminiTest.response(rest: rest)))
    #expect(image.usage.inputTokens == 307)
    #expect(image.usage.outputTokens == 1220)
    let (pictures, texts, input): (Double, Double, Double) = (1120 * 30, (10 + 90) * 7.5, 307 * 1.5)
    let expected = (pictures + texts + input) / 1_000_000
    #expect(abs(try #require(image.usage.costUsd) - expected) < 1e-12)
    #expect(image.model == "gemini-nano-banana-2.1")
  }

  @Test("an answer of Gemini's is paid by the picture where tokens are not told apart", arguments: [
    (nil, nil, 0.0336), ("1K", nil, 0.0336), ("4K", nil, nil), ("1K", "gemini-3-pro-image", 0.134),
    ("1K", "gemini-nano-banana-2.1-001", 0.0336), ("1K", "gemini-nano-banana-2.1-lite", nil), ("1K", "other", nil),
  ] as [(String?, String?, Double?)])
  func perImage(size: String?, version: String?, cost: Double?) throws {
    var rest = JSONObject()
    rest["modelVersion"] = version.map(JSONValue.string)
    let image = try image(.object(try GeminiTest.response(rest: rest)), asked: GeminiTest.request(size: size))
    #expect(image.usage == Usage(inputTokens: 0, outputTokens: 0, costUsd: cost))
    #expect(image.model == version ?? "gemini-nano-banana-2.1")
  }

  @Test("an answer of Gemini's is not counted by numbers that make no sense", arguments: [
    -1, 1.5, "12", nil, [], 9_000_000_000_000_000_000,
  ] as [JSONValue])
  func senseless(count: JSONValue) throws {
    let usage: JSONValue = [
      "promptTokenCount": count, "candidatesTokenCount": count, "thoughtsTokenCount": count,
      "candidatesTokensDetails": [["modality": "IMAGE", "tokenCount": count], 7], "promptTokensDetails": count,
    ]
    let image = try image(.object(try GeminiTest.response(rest: ["usageMetadata": usage])))
    #expect(image.usage == Usage(inputTokens: 0, outputTokens: 0, costUsd: 0.0336))
  }

  @Test("an answer of Gemini's does not talk without end")
  func longText() throws {
    let text = String(repeating: "å", count: 100_000)
    let json: JSONValue = ["candidates": [candidate([["text": .string("\n" + text)], try part("plain.png")])]]
    #expect(try GeminiTest.answer(json).text == String(repeating: "å", count: 8000))
  }
}

import AtelierProtocol
import Encodings
import JSON
import Testing

@testable import Providers

@Suite("A turn of Gemini's")
struct GeminiTurnTests {
  private func turn(_ parts: [JSONValue], _ more: JSONObject = [:]) throws -> ModelTurn? {
    var content = more
    content["parts"] = .array(parts)
    return try GeminiTest.answer(["candidates": [["content": .object(content), "finishReason": "STOP"]]]).turn
  }

  private func picture(_ text: String, _ more: JSONObject = [:]) -> JSONValue {
    var part: JSONObject = ["inlineData": ["mimeType": "image/png", "data": .string(text)]]
    for (key, value) in more { part[key] = value }
    return .object(part)
  }

  @Test("a turn of Gemini's is given back to the letter, thoughts left out")
  func roundTrip() throws {
    let bytes = try GeminiTest.photo("plain.png")
    let text = Base64.encoded(bytes)
    let kept: [JSONValue] = [
      ["text": "Here you go. \u{2028} 🌅", "thoughtSignature": "+//+abc_-=="],
      picture(text, ["thoughtSignature": "+//+zz==", "new": [1.50, 1e3, ["deep": nil]]]),
    ]
    let thoughts: [JSONValue] = [["text": "Hm.", "thought": true], picture(text, ["thought": true])]
    let turn = try #require(try turn(thoughts + kept, ["role": "model", "unknown": "kept"]))
    #expect(!turn.json.serializedText.contains(text), "the picture is a file, and not here again")
    #expect(turn.json["parts"]?[1]?["inlineData"]?["data"] == ["$picture": 0])
    let expected: JSONValue = ["role": "model", "unknown": "kept", "parts": .array(kept)]
    let restored = try #require(turn.restored(pictures: [bytes]))
    #expect(restored == expected)
    #expect(restored["parts"]?.serializedText == JSONValue.array(kept).serializedText, "in the same order")
    #expect(turn.restored(pictures: []) == nil)
  }

  @Test("a turn of Gemini's is not kept when the file would not restore it")
  func otherBase64() throws {
    let standard = Base64.encoded(try GeminiTest.photo("plain.jpg"))
    let urlSafe = String(standard.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    try #require(urlSafe != standard)
    #expect(try turn([picture(standard)]) != nil)
    #expect(try turn([picture(urlSafe)]) == nil)
    let padded = Base64.encoded(try GeminiTest.photo("plain.png"))
    try #require(padded.hasSuffix("="))
    #expect(try turn([picture(String(padded.prefix { $0 != "=" }))]) == nil)
    #expect(try turn([picture(standard), picture(standard)]) == nil)
  }
}

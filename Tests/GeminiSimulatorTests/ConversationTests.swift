import Encodings
import JSON
import Testing

@testable import GeminiSimulator

@Suite("A conversation", .timeLimit(.minutes(2)))
struct ConversationTests {
  /// The request of a second turn, after the model's first.
  private static func second(after content: JSONValue) -> JSONValue {
    [
      "contents": [
        ["role": "user", "parts": [["text": "a cat"]]], content,
        ["role": "user", "parts": [["text": "with a hat"]]],
      ]
    ]
  }

  private static func firstContent(_ simulator: GeminiSimulator, model: String) async throws -> JSONValue {
    let response = try await simulator.exchange(.generate(prompt: "a cat", model: model))
    return try #require(response.json["candidates"]?[0]?["content"])
  }

  @Test("a conversation goes on when the model's turn comes back as it was given, also written anew by an SDK")
  func verbatim() async throws {
    try await withSimulator { simulator in
      let content = try await Self.firstContent(simulator, model: RawRequest.model)
      #expect(try await simulator.exchange(.generate(Self.second(after: content))).status == 200)
      let given = content["parts"]?.array?.compactMap { $0["thoughtSignature"]?.string } ?? []
      #expect(given.count == 2)
      #expect(given.allSatisfy { $0.contains("+") })
      try #require(simulator.requests.count == 2)
      #expect(simulator.requests[1].facts?.thoughtSignatures == given)
      let anew = try JSONValue(
        parsing: Array(content.serializedText.replacing("+", with: "-").replacing("\\/", with: "_").utf8))
      #expect(try await simulator.exchange(.generate(Self.second(after: anew))).status == 200)
      try #require(simulator.requests.count == 3)
      #expect(simulator.requests[2].facts?.thoughtSignatures != given)
    }
  }

  enum Damage: String, CaseIterable {
    case noSignatureOfText, noSignatureOfImage, swapped, otherText, otherImage, invented, sentinel

    var message: String {
      switch self {
      case .noSignatureOfText: "Text part is missing a thought_signature in content position 2, part position 1."
      case .noSignatureOfImage: "Image part is missing a thought_signature in content position 2, part position 2."
      default: "Corrupted thought signature."
      }
    }

    func apply(_ content: JSONValue) -> JSONValue {
      let text = content["parts"]?[0]?["thoughtSignature"]
      let image = content["parts"]?[1]?["thoughtSignature"]
      return switch self {
      case .noSignatureOfText: content.with("parts", "0", "thoughtSignature", value: nil)
      case .noSignatureOfImage: content.with("parts", "1", "thoughtSignature", value: nil)
      case .swapped:
        content.with("parts", "0", "thoughtSignature", value: image).with("parts", "1", "thoughtSignature", value: text)
      case .otherText: content.with("parts", "0", "text", value: "Here was your picture.")
      case .otherImage:
        content.with("parts", "1", "inlineData", "data", value: .string(Base64.encoded(SamplePicture.png)))
      case .invented: content.with("parts", "1", "thoughtSignature", value: "c2lnbmF0dXJl")
      case .sentinel: content.with("parts", "1", "thoughtSignature", value: "skip_thought_signature_validator")
      }
    }
  }

  @Test("a conversation ends when a signature is missing or does not fit its part", arguments: Damage.allCases)
  func damaged(_ damage: Damage) async throws {
    try await withSimulator { simulator in
      let content = try await Self.firstContent(simulator, model: RawRequest.model)
      let response = try await simulator.exchange(.generate(Self.second(after: damage.apply(content))))
      #expect(response.status == 400)
      #expect(response.error?["message"]?.string == damage.message)
    }
  }

  @Test("a conversation needs no signatures where the model gives none")
  func withoutSignatures() async throws {
    try await withSimulator { simulator in
      let model = "gemini-2.5-flash-image"
      let content = try await Self.firstContent(simulator, model: model)
      #expect(content["parts"]?.array?.allSatisfy { $0["thoughtSignature"] == nil } == true)
      #expect(try await simulator.exchange(.generate(Self.second(after: content), model: model)).status == 200)
    }
  }

  @Test("a conversation goes on with thoughts left out or sent back, and with a signature of a megabyte")
  func thoughts() async throws {
    try await withSimulator { simulator in
      for fault: AnswerFault in [.thoughtImage, .hugeSignature] {
        simulator.enqueue(.answer(fault))
        let content = try await Self.firstContent(simulator, model: RawRequest.model)
        let parts = content["parts"]?.array ?? []
        #expect(try await simulator.exchange(.generate(Self.second(after: content))).status == 200)
        let withoutThoughts = content.with(
          "parts", value: .array(parts.filter { $0["thought"]?.bool != true }))
        #expect(try await simulator.exchange(.generate(Self.second(after: withoutThoughts))).status == 200)
      }
    }
  }
}

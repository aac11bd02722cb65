import AtelierProtocol
import CurlHTTP
import JSON
import Support
import Testing

@testable import Providers

@Suite("A damaged answer of Gemini's")
struct GeminiMutationTests {
  @Test("a damaged answer of Gemini's is a whole picture or an error, and never a trap", arguments: 0..<300 as Range<UInt64>)
  func bytes(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let bodies = GeminiFailureTests.rows.map { Array($0.body.utf8) } + [
      JSONValue.object(try GeminiTest.response(picture: "plain.webp")).serialized(),
      JSONValue.object(try GeminiTest.response(picture: "plain.avif")).serialized(),
      GeminiMutationTests.full.serialized(),
    ]
    for _ in 0..<8 {
      var body = bodies.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 0...6, using: &random) where !body.isEmpty {
        let index = Int.random(in: 0..<body.count, using: &random)
        switch UInt8.random(in: 0..<4, using: &random) {
        case 0: body[index] = UInt8.random(in: 0...255, using: &random)
        case 1: body.removeSubrange(index..<min(body.count, index + Int.random(in: 1...40, using: &random)))
        case 2: body.insert(contentsOf: body[index..<min(body.count, index + 40)], at: index)
        default: body[index] = Array(#"{}[]",:0-e\"#.utf8).randomElement(using: &random) ?? 0
        }
      }
      try check(body, status: [200, 200, 400, 404, 429, 500, 503].randomElement(using: &random) ?? 200, seed)
    }
  }

  @Test("an answer of Gemini's may have any value in any place", arguments: 0..<300 as Range<UInt64>)
  func values(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let keyInvalid = try JSONValue(parsing: GeminiFailureTests.keyInvalid.utf8)
    let roots = [.object(try GeminiTest.response()), Self.full, keyInvalid]
    for _ in 0..<8 {
      let root = roots.randomElement(using: &random) ?? nil
      let body = mutated(root, &random).serialized()
      try check(body, status: Bool.random(using: &random) ? 200 : 429, seed)
    }
  }

  static let full: JSONValue = [
    "candidates": [
      [
        "content": [
          "parts": [
            ["text": "a", "thoughtSignature": "AA=="],
            ["inlineData": ["data": "iVBORw0KGgo=", "mimeType": "image/png"]],
            ["fileData": ["fileUri": "x"]],
          ]
        ], "finishReason": "OTHER", "finishMessage": "m",
      ]
    ], "promptFeedback": ["blockReason": "SAFETY"], "modelVersion": "m-1",
    "usageMetadata": [
      "promptTokenCount": 1, "candidatesTokenCount": 2,
      "candidatesTokensDetails": [["modality": "IMAGE", "tokenCount": 3]],
    ],
  ]

  private func mutated(_ value: JSONValue, _ random: inout SplitMix64) -> JSONValue {
    if UInt8.random(in: 0..<12, using: &random) == 0 {
      let others: [JSONValue] = [
        nil, true, -1, 1.5, "", "IMAGE", [], [:], [[:]], 9_223_372_036_854_775_807, "\u{0}", ["data": ["$picture": 0]],
      ]
      return others.randomElement(using: &random) ?? nil
    }
    switch value {
    case .array(let array): return .array(array.map { mutated($0, &random) })
    case .object(let object): return .object(JSONObject(members: object.map { ($0.key, mutated($0.value, &random)) }))
    default: return value
    }
  }

  private func check(_ body: [UInt8], status: Int, _ seed: UInt64) throws {
    let response = HTTPResponse(status: status, headers: [], body: body)
    do {
      let answer = try GeminiTest.reading().answer(response)
      #expect(!answer.bytes.isEmpty && answer.picture.width > 0, "seed \(seed)")
      let model = try #require(GeminiModel(checking: "gemini-3-pro-image"))
      _ = answer.image(asked: GeminiTest.request(aspectRatio: "1:1"), model: model, prices: .defaults)
    } catch let error as AtelierError {
      #expect(error.provider == .gemini, "seed \(seed)")
      #expect(error.details["reason"] != nil && error.details["httpStatus"] != nil, "seed \(seed)")
      #expect(error.message.hasSuffix("."), "seed \(seed)")
    }
  }
}

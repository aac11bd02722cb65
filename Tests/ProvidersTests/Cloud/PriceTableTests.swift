import JSON
import Testing

@testable import Providers

@Suite("The price table")
struct PriceTableTests {
  private let model = "gemini-3-pro-image"

  private func read(_ json: JSONValue) throws -> PriceTable {
    try JSONValueDecoder(unknownMembers: .reject).decode(PriceTable.self, from: json)
  }

  @Test("the price table counts pictures by their tokens, and the rest by kind")
  func tokens() throws {
    let tokens = TokenCounts(textInput: 1_000_000, imageInput: 500_000, textOutput: 100_000, imageOutput: 2000)
    let cost = try #require(PriceTable.defaults.cost(model: model, tokens: tokens, images: 1, size: "4K"))
    #expect(abs(cost - (2 + 1 + 1.2 + 0.24)) < 1e-12)
    let openAI = TokenCounts(textInput: 1_000_000, imageInput: 1_000_000, imageOutput: 1_000_000)
    #expect(PriceTable.defaults.cost(model: "gpt-image-2", tokens: openAI, images: 1, size: nil) == 43)
  }

  @Test("the price table falls back to the price of a picture where tokens were not counted")
  func perImage() throws {
    func cost(_ images: Int, _ size: String?, _ model: String) -> Double? {
      PriceTable.defaults.cost(model: model, tokens: TokenCounts(), images: images, size: size)
    }
    #expect(cost(1, "4K", model) == 0.24)
    #expect(cost(2, "1K", model) == 0.268)
    #expect(cost(1, "512", "gemini-3.1-flash-image") == 0.045)
    #expect(cost(1, "2K", "gemini-nano-banana-2.1") == nil, "that price was never confirmed")
    #expect(cost(1, nil, model) == nil)
    #expect(cost(0, nil, model) == 0)
  }

  @Test("the price table does not guess")
  func unknown() {
    let tokens = TokenCounts(textInput: 1, textOutput: 1, imageOutput: 1)
    #expect(PriceTable.defaults.cost(model: "new-image", tokens: tokens, images: 1, size: "1K") == nil)
    #expect(PriceTable.defaults.cost(model: "gpt-image-2", tokens: tokens, images: 1, size: nil) == nil)
  }

  @Test("the price table is edited by the operator, a model at a time")
  func operators() throws {
    let table = try read([
      "gemini-3-pro-image": ["asOf": "2027-01-02", "source": "the bill", "perImage": ["1K": 1]],
      "own-model": ["asOf": "2027-01-02", "perMillionTokens": ["textInput": 0, "imageOutput": 10]],
    ])
    let merged = PriceTable.defaults.merging(table)
    #expect(merged.models.count == PriceTable.defaults.models.count + 1)
    #expect(merged.models[model]?.perMillionTokens == nil, "prices of different days are not mixed")
    #expect(merged.models[model]?.asOf.text == "2027-01-02")
    let tokens = TokenCounts(textInput: 5, imageOutput: 100_000)
    #expect(merged.cost(model: "own-model", tokens: tokens, images: 1, size: nil) == 1)
  }

  @Test("the price table says where it is wrong", arguments: [
    (["m": ["asOf": "21.11.2026"]], "/m/asOf"), (["m": ["perImage": [:]]], "/m/asOf"),
    (["m": ["asOf": "2026-13-01"]], "/m/asOf"),
    (["m": ["asOf": "2026-11-21", "perImage": ["1K": -1]]], "/m/perImage/1K"),
    (["m": ["asOf": "2026-11-21", "perImage": ["1K": "free"]]], "/m/perImage/1K"),
    (["m": ["asOf": "2026-11-21", "perMillionTokens": ["textInput": 1e300]]], "/m/perMillionTokens/textInput"),
    (["m": ["asOf": "2026-11-21", "perMillionToken": [:]]], "/m/perMillionToken"), ([1], ""), (["m": 1], "/m"),
  ] as [(JSONValue, String)])
  func wrong(json: JSONValue, path: String) {
    #expect {
      try read(json)
    } throws: { error in
      (error as? JSONDecodingFailure)?.path == path
    }
  }

  @Test("the price table comes back as it was written")
  func roundTrip() throws {
    #expect(try read(try JSONValueEncoder().encode(PriceTable.defaults)) == .defaults)
    #expect(PriceTable.defaults.models.values.allSatisfy { PriceDate($0.asOf.text) != nil && $0.source != nil })
  }
}

import AtelierProtocol
import JSON
import Localization
import Support

@testable import Store

/// Texts that are easily changed on their way into a table and back.
private func oddText(using random: inout SplitMix64) -> String {
  ["", "plain", "a\u{0}b", "e\u{301} \u{1F469}\u{200D}\u{1F680}", "'; DROP TABLE generation; --", "\u{FFFD}\n\t\\\""]
    .randomElement(using: &random) ?? ""
}

private func oddObject(using random: inout SplitMix64) -> JSONObject {
  ["z": .string(oddText(using: &random)), "a": [1, 2.50, .null, true], "": ["nested": .string("\u{0}")]]
}

private func perhaps<Value>(_ value: Value, using random: inout SplitMix64) -> Value? {
  Bool.random(using: &random) ? value : nil
}

extension StoreFixture {
  func odd(using random: inout SplitMix64) -> Acceptance {
    Acceptance(
      id: GenerationID(rawValue: "gen_\(next())"), account: AccountID(rawValue: "a\(oddText(using: &random).count)"),
      recipe: Recipe.allCases.randomElement(using: &random) ?? .create,
      request: perhaps(oddObject(using: &random), using: &random) ?? ["prompt": "p", "x": 1],
      prompt: perhaps(oddText(using: &random), using: &random),
      paramsHash: (0..<32).map { _ in UInt8(random.next() & 255) },
      timeLimitMs: Int(random.next() % 1_000_000),
      idempotencyKey: perhaps("key_\(next())", using: &random), provider: perhaps(.gemini, using: &random),
      model: perhaps(oddText(using: &random), using: &random),
      promptVersion: perhaps(oddText(using: &random), using: &random),
      metadata: perhaps(oddObject(using: &random), using: &random), parent: perhaps("gen_parent", using: &random),
      parentIndex: perhaps(3, using: &random), isPrivate: Int(random.next() % 4) == 0,
      isDetached: .random(using: &random), isRequeueable: .random(using: &random))
  }
}

extension Settlement {
  static func odd(_ id: GenerationID, staged: [StagedArtifact], using random: inout SplitMix64) -> Settlement {
    let error = AtelierError(
      kind: ErrorKind.allCases.randomElement(using: &random) ?? .internal,
      message: Sentence(verbatim: oddText(using: &random)),
      retryAfterMs: perhaps(1500, using: &random), generationId: id, provider: perhaps(.openai, using: &random),
      details: oddObject(using: &random), retryable: perhaps(.random(using: &random), using: &random))
    let images = staged.dropLast().enumerated().map { index, staged in
      GenerationFile(
        index: index, view: perhaps(oddText(using: &random), using: &random), source: .staged(staged), width: 1 + index,
        height: 9, outputPath: perhaps(oddText(using: &random), using: &random))
    }
    let failure = ImageFailure(index: 1, error: error.body(at: Timestamp(milliseconds: 1_790_000_000_123)))
    return Settlement(
      id: id, state: GenerationState.endsOfWork.randomElement(using: &random) ?? .failed,
      files: images.prefix(Int(random.next() % 4))
        + [perhaps(staged.last, using: &random) ?? nil].compactMap { $0.map(GenerationFile.thumbnail) },
      text: perhaps(oddText(using: &random), using: &random),
      places: perhaps(
        DeliveredPlaces(
          places: [
            Place(
              name: oddText(using: &random), streetAddress1: "1", city: "", source: .host,
              verifiedAt: Timestamp(milliseconds: 0))
          ], dropped: DroppedPlaces(count: 1, names: [oddText(using: &random)])), using: &random),
      provider: perhaps(.ondevice, using: &random), model: perhaps(oddText(using: &random), using: &random),
      promptVersion: perhaps(oddText(using: &random), using: &random), isCached: .random(using: &random),
      usage: perhaps(Usage(inputTokens: 5, costUsd: perhaps(0.1 + 0.2, using: &random)), using: &random),
      timings: perhaps(Timings(totalMs: .max), using: &random),
      warnings: (0..<Int(random.next() % 3)).map { _ in
        Warning(kind: "odd", message: Sentence(verbatim: oddText(using: &random)))
      },
      failures: perhaps([failure], using: &random) ?? [],
      error: perhaps(error, using: &random),
      lastNote: perhaps(
        ProgressNote(
          phase: .saving, message: Sentence(verbatim: oddText(using: &random)),
          fraction: [0.1, 7, .nan].randomElement(using: &random),
          sequence: Int64(random.next() % 10)), using: &random),
      turns: [])
  }
}

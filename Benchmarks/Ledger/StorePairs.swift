import AtelierProtocol
import Store

/// Accepts and finishes generations through the store.
struct StorePairs {
  let directory: DataDirectory

  func run(_ pairs: Int, callers: Int) async throws {
    let store = try await LedgerBenchmark.open(directory)
    let artifact = try await makeArtifact(in: store)
    try await pair(store, artifact)
    try await LedgerBenchmark.measure(pairs) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 0..<callers {
          group.addTask {
            for _ in stride(from: caller, to: pairs, by: callers) { try await pair(store, artifact, of: caller) }
          }
        }
        try await group.waitForAll()
      }
    }
    await store.close()
  }

  /// An image that results refer to: a file of their own would measure the disk.
  func makeArtifact(in store: Store) async throws -> StoredArtifact {
    let staged = try await store.stage(Array("an image".utf8), mimeType: "image/png")
    let acceptance = acceptance()
    _ = try await store.accept(acceptance)
    let outcome = try await store.finish(settlement(of: acceptance.id, .staged(staged)))
    guard case .finished(let row) = outcome, let artifact = row.images.first?.artifact else {
      throw AtelierError(.internal)
    }
    return artifact
  }

  func pair(_ store: Store, _ artifact: StoredArtifact, of caller: Int = 0) async throws {
    let acceptance = acceptance(of: caller)
    guard case .accepted(let row) = try await store.accept(acceptance) else { throw AtelierError(.internal) }
    _ = try await store.finish(settlement(of: acceptance.id, .stored(artifact)), of: row)
  }

  private func acceptance(of caller: Int = 0) -> Acceptance {
    var acceptance = Acceptance(
      id: GenerationID(rawValue: StoreSurroundings.makeIdentifier("gen_")),
      account: LedgerBenchmark.account(of: caller % LedgerBenchmark.accounts),
      recipe: .create, request: ["recipe": "create", "prompt": "a lighthouse"], prompt: "a lighthouse",
      paramsHash: [UInt8](repeating: 7, count: 32), timeLimitMs: 60_000, provider: .gemini, model: "a-model",
      metering: Metering(credits: 1, limits: UsageLimit.standard))
    acceptance.begins = true
    return acceptance
  }

  private func settlement(of id: GenerationID, _ source: ArtifactSource) -> Settlement {
    Settlement(
      id: id, state: .succeeded, files: [GenerationFile(index: 0, source: source, width: 4, height: 3, credits: 1)],
      provider: .gemini, model: "a-model", usage: Usage(inputTokens: 10, outputTokens: 1_290), timings: Timings())
  }
}

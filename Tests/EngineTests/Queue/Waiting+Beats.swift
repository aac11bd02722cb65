import AtelierProtocol
import TestHouse

@testable import Engine

extension TestHouse {
  /// Lets heartbeats go by until `condition` holds.
  func beat(until condition: @Sendable () async throws -> Bool) async throws {
    let step = Duration.milliseconds(EngineConfiguration().heartbeatMs / 2)
    while try await !condition() {
      try Task.checkCancellation()
      clock.advance(by: step)
      for _ in 0..<20 { await Task.yield() }
    }
  }
}

extension TestEngine {
  /// Returns once a generation is known to wait for its provider.
  func waits(_ id: GenerationID) async {
    await announcements.meet { all in
      all.contains {
        guard case .progress(let progress, _) = $0 else { return false }
        return progress.generationId == id && progress.message == "Waiting for Scripted…"
      }
    }
  }

  /// How the queue stands.
  func queue(of account: AccountID? = nil) async throws -> QueueStatus.Result {
    try await engine.queueStatus(of: account)
  }
}

extension Generate {
  /// A request that may wait.
  static func patient(
    _ prompt: String = "a lighthouse", account: AccountID? = nil, detach: Bool? = nil, waitMs: Int? = nil,
    image: ImageSource? = nil, references: [ImageSource]? = nil
  ) -> Generate {
    Generate(
      recipe: image == nil ? .create : .edit, image: image, references: references, prompt: prompt, account: account,
      whenOffline: .queue, waitMs: waitMs, detach: detach)
  }
}

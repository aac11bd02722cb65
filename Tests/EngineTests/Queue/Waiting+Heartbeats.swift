import AtelierProtocol
import ServiceFixture
import Testing

@testable import Engine

extension ServiceFixture {
  /// Lets heartbeats go by until `condition` holds: the next one only after those whose heart it is have had theirs, however
  /// busy the machine is, so that no time runs out that would not for a host.
  ///
  /// An hour of them has to do, for each of them announces something that is kept.
  func heartbeats(until condition: @Sendable () async throws -> Bool) async throws {
    let step = Duration.milliseconds(EngineConfiguration().heartbeatMs / 2)
    let idle = Duration.milliseconds(OfflineQueue.idleMs)
    let start = clock.uptimeMs
    var waited = 0
    while try await !condition() {
      try Task.checkCancellation()
      try #require(clock.uptimeMs - start < 3_600_000, "what was waited for did not happen within an hour of heartbeats")
      let hearts = clock.sleepers(for: step)
      // No time passes for work that is under way on other threads: the clock would outrun it, on a busy machine up to
      // the deadlines of what waits.
      guard hearts > 0 else {
        await Task.yield()
        waited += 1
        // A service that has done its own work has no heart any more, and looks for that of others now and then.
        if waited > 20_000, clock.sleepers(for: idle) > 0 {
          clock.advance(by: idle)
          waited = 0
        }
        continue
      }
      waited = 0
      clock.advance(by: step)
      // It may have been the last of one of them.
      var patience = 20_000
      repeat {
        await Task.yield()
        patience -= 1
      } while patience > 0 && clock.sleepers(for: step) < hearts
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
    image: ImageSource? = nil, references: [ImageSource]? = nil, key: String? = nil
  ) -> Generate {
    Generate(
      recipe: image == nil ? .create : .edit, image: image, references: references, prompt: prompt,
      timeoutMs: 3_600_000, account: account, idempotencyKey: key, cache: .bypass, whenOffline: .queue, waitMs: waitMs,
      detach: detach)
  }
}

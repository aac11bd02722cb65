import AtelierProtocol
import Store

/// How long generations still take, from the durations of earlier ones and the offline queue at the last look.
struct Forecast: Sendable {
  var durations = DurationEstimator()
  /// The state of the shared queue at the last look.
  var queue = QueueState()
  /// The positions of this process's generations in that queue, when they were last looked up.
  var positions: [GenerationID: Int] = [:]
  var positionsAtMs: Int64?

  /// Milliseconds until the end of a generation; nil when nothing is known of its kind.
  /// - Parameter position: 1 for the next to start; nil when it does not wait.
  func remainingMs(of live: LiveGeneration, at position: Int?, _ now: Moment) -> Int64? {
    let kind = DurationEstimator.Kind(live.work)
    guard let position else {
      return durations.remainingMs(for: kind, elapsedMs: live.started.map { now.uptimeMs - $0.uptimeMs } ?? 0)
    }
    let pause = live.isInQueue ? queue.pauseMs(for: kind.provider, from: now.wall) : 0
    return durations.waitMs(for: kind, position: position, slots: live.work.provider.maximumConcurrentImages)
      .map { $0 + pause }
  }
}

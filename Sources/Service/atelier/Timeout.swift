/// Waits for work that asks another machine, which may never answer.
enum Timeout {
  /// The longest that a command which only tells how things stand waits for one answer.
  static let longest = Duration.seconds(10)

  /// - Returns: nil when the work has not ended in time. It is left alone: the process ends without it.
  static func answer<Value: Sendable>(
    within limit: Duration = longest, _ work: @escaping @Sendable () async -> Value
  ) async -> Value? {
    let (answers, continuation) = AsyncStream<Value?>.makeStream()
    Task { continuation.yield(await work()) }
    let waiting = Task {
      try? await Task.sleep(for: limit)
      continuation.yield(nil)
    }
    defer { waiting.cancel() }
    for await first in answers { return first }
    return nil
  }
}

import AtelierProtocol
import JSON

/// A request that is told the progress of a generation which it did not start, as a value.
struct Watcher: Sendable {
  /// The id of the JSON-RPC request, repeated in its progress notifications.
  private let requestID: JSONValue?
  /// Whether it wants progress notifications.
  let wantsProgress: Bool
  /// The latest progress that another process has shared, as it arrived.
  private var latest: GenerationProgress?
  /// The number of the last notification.
  private var sequence: Int64 = -1
  /// The uptime of the last notification; nil before the first.
  private var toldAtMs: Int64?

  init(requestID: JSONValue?, wantsProgress: Bool) {
    self.requestID = requestID
    self.wantsProgress = wantsProgress
  }

  /// Records progress that another process has shared.
  /// - Returns: whether it is news.
  mutating func take(_ shared: GenerationProgress?) -> Bool {
    guard let shared, shared != latest else { return false }
    latest = shared
    return true
  }

  /// Whether it has heard nothing for as long as `silenceMs`.
  func isDue(after silenceMs: Int64, atMs now: Int64) -> Bool {
    toldAtMs.map { now - $0 >= silenceMs } ?? true
  }

  /// The notification for this request. Its numbers rise, although each process that works on the generation counts
  /// anew.
  mutating func notification(of progress: GenerationProgress, atMs now: Int64) -> GenerationProgress {
    sequence = max(progress.sequence, sequence + 1)
    toldAtMs = now
    var told = progress
    told.requestId = requestID
    told.sequence = sequence
    return told
  }
}

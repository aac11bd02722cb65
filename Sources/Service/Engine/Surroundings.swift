import AtelierProtocol

/// Every source of nondeterminism: injected, so that a transcript replays byte for byte.
public struct Surroundings: Sendable {
  /// The wall-clock time, for records.
  public var now: @Sendable () -> Timestamp
  /// Milliseconds on a monotonic clock, for durations.
  public var uptimeMs: @Sendable () -> Int64
  /// A new opaque id that begins with `prefix`, such as `gen_`.
  public var makeIdentifier: @Sendable (_ prefix: String) -> String
  /// Waits; throws `CancellationError` at once when the task is cancelled.
  public var sleep: @Sendable (Duration) async throws -> Void
  /// Randomness that spreads retries over time.
  public var random: @Sendable () -> UInt64
  /// Receives log lines for operators; must not block.
  public var log: @Sendable (_ line: String) -> Void

  public init(
    now: @escaping @Sendable () -> Timestamp,
    uptimeMs: @escaping @Sendable () -> Int64,
    makeIdentifier: @escaping @Sendable (_ prefix: String) -> String,
    sleep: @escaping @Sendable (Duration) async throws -> Void,
    random: @escaping @Sendable () -> UInt64,
    log: @escaping @Sendable (_ line: String) -> Void = { _ in }
  ) {
    self.now = now
    self.uptimeMs = uptimeMs
    self.makeIdentifier = makeIdentifier
    self.sleep = sleep
    self.random = random
    self.log = log
  }
}

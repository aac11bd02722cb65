import AtelierProtocol

/// The dependencies that would make two runs of the store differ.
public struct StoreSurroundings: Sendable {
  /// The time of day, for records and expiry.
  public var now: @Sendable () -> Timestamp
  /// Makes a new opaque id that begins with `prefix` and consists of letters, digits, `_` and `-`; unique across
  /// processes.
  public var makeIdentifier: @Sendable (_ prefix: String) -> String
  /// Randomness for the length of waits.
  public var random: @Sendable () -> UInt64
  /// Receives one line for the operator, and whether it reports a fault.
  public var log: Log
  /// Told of each step in which files and rows change, on the thread that takes it.
  var reached: @Sendable (FileStep) -> Void = { _ in }

  public typealias Log = @Sendable (_ isFault: Bool, _ line: String) -> Void

  public init(
    now: @escaping @Sendable () -> Timestamp,
    makeIdentifier: @escaping @Sendable (_ prefix: String) -> String,
    random: @escaping @Sendable () -> UInt64,
    log: @escaping Log = { _, _ in }
  ) {
    self.now = now
    self.makeIdentifier = makeIdentifier
    self.random = random
    self.log = log
  }
}

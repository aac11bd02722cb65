/// How much a connection takes on.
public struct ConnectionLimits: Sendable, Equatable {
  /// The longest message read, in bytes (`--max-message-bytes`).
  public var maximumMessageBytes = 64 << 20

  /// How many requests may be unanswered at once (`--max-in-flight`); urgent ones are not counted.
  public var maximumInFlight = 1024

  /// How deep arrays and objects of a message may nest.
  public var maximumDepth = JSONValue.defaultMaximumDepth

  /// How many values a message may hold. Only hostile messages come near: 64 MiB of `[],[],[]…` would
  /// otherwise become gigabytes.
  public var maximumValues = 2_000_000

  /// How many messages a batch may hold; a longer one is refused as a whole.
  public var maximumBatchCount = 10_000

  /// When more bytes than this wait to be written, nothing more is read until half of them are gone.
  public var maximumOutgoingBytes = 8 << 20

  /// How long requests in flight may take to finish after the end of the input (`--drain-timeout`).
  public var drainTimeout = Duration.seconds(120)

  /// How long requests may take to wind up once they were cancelled after that time.
  public var settleTimeout = Duration.seconds(2)

  public init() {}
}

/// Why a connection ended.
public enum ConnectionEnd: Sendable, Equatable {
  /// The input ended. Without a reader, at once or before all was finished, what was in flight was cancelled.
  case inputEnded(hasReader: Bool)
  /// Writing failed: nobody reads the output any more.
  case outputFailed
  /// The host is dead (``Connection/stop(_:)``).
  case hostDied
  /// The process is asked to end; what is in flight was cancelled and given at most this long to settle.
  case terminated(within: Duration)

  /// Whether anybody was left to read answers.
  public var hasReader: Bool {
    switch self {
    case .inputEnded(let hasReader): hasReader
    case .terminated: true
    case .outputFailed, .hostDied: false
    }
  }
}

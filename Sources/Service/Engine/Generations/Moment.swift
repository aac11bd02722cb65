import AtelierProtocol

/// A moment on both clocks.
struct Moment: Sendable, Equatable {
  /// The wall-clock time, for records.
  var wall: Timestamp
  /// Milliseconds on the monotonic clock, for durations.
  var uptimeMs: Int64
}

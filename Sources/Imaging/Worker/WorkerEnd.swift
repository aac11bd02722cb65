/// How a worker's process ended.
enum WorkerEnd: Sendable, Equatable {
  case exited(status: Int32)
  case killed(signal: Int32)

  /// True when it left by itself because nobody needed it.
  var isLeaving: Bool { self == .exited(status: 0) }
}

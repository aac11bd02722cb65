/// How a worker's process ended.
enum WorkerEnd: Sendable, Equatable {
  case exited(status: Int32)
  case killed(signal: Int32)
}

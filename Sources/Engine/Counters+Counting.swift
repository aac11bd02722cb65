import AtelierProtocol

extension ServiceStatus.Counters {
  /// Counts one that has ended.
  mutating func count(_ finished: FinishedGeneration) {
    switch finished.state {
    case .succeeded: succeeded += 1
    case .partial: partial += 1
    case .cancelled: cancelled += 1
    case .failed, .interrupted, .expired: failed += 1
    case .queued, .running: break
    }
    if finished.result?.cached == true { cached += 1 }
  }
}

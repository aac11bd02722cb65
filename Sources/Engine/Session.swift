import AtelierProtocol
import JSONRPC
import Providers
import Store

/// One generation that this process works on or has accepted: what the session manager, its only user, keeps of it.
final class Session {
  var work: GenerationWork
  /// The row as it was accepted; nil before.
  var row: GenerationRow?
  /// The life, as last made durable.
  var generation = Generation()
  /// True once the store has the row; until then the generation can be wished cancelled, not settled.
  var isAccepted: Bool { row != nil }
  var isCancelWished = false
  var progress: ProgressLog
  /// What its pictures tell, one by one or all at once.
  var joint: JointProgress
  /// What other processes were last told of it.
  var sharedNote: ProgressNote?
  /// When the work began, by the time of day.
  var startedAt: Timestamp?
  /// The same by the uptime.
  var startedAtMs: Int64?
  /// Set from the moment it first had to wait for its provider.
  var waiting: WaitingSession?
  /// The task that makes the pictures.
  var task: Task<Void, Never>?
  /// True while its work is to stop once its end is on record.
  var isStopping = false
  /// True once its one ending has begun.
  var isSettling = false
  /// Who waits for the end, by number; told nil when the wait is given up.
  var waiters: [Int: CheckedContinuation<FinishedGeneration?, Never>] = [:]

  /// - Parameter acceptedAtMs: by the uptime.
  init(work: GenerationWork, acceptedAtMs: Int64) {
    self.work = work
    progress = ProgressLog(acceptedAtMs: acceptedAtMs)
    joint = JointProgress(count: work.wanted)
  }
}

import AtelierProtocol
import POSIX
import Synchronization

/// A change to the database, as a trial makes and undoes it.
typealias TriedChange = @Sendable (any SQLSession) throws -> Void

/// Whether what the store is given can be kept, as far as its last write shows.
///
/// The first write that fails because of the machine makes it faulty. It is sound again once a trial has succeeded, which
/// repeats all that has failed as it failed. Where results fail again and again although trials succeed, something that a
/// trial does not have is refused: then a result that is kept, or a pause, must show that it no longer is.
final class StoreCondition: Sendable {
  private struct State {
    var fault: StorageFault?
    /// Whether a trial has succeeded since the last fault.
    var isProven = false
    /// The changes that have failed since a trial has succeeded, the latest ones.
    var changes: [TriedChange] = []
    /// How many faults were noted.
    var count = 0
    /// How often a result has failed after a trial that succeeded, without one that was kept between.
    var contradictions = 0
    /// When a result failed last.
    var lastFailure: ContinuousClock.Instant?

    /// Whether a trial that has succeeded shows anything now.
    func believesTrials(at now: ContinuousClock.Instant) -> Bool {
      guard contradictions > 1, let lastFailure else { return true }
      return now - lastFailure > .milliseconds(StoreCondition.pauses.fullMs(afterFailures: contradictions - 1))
    }
  }

  /// How many failed changes a trial repeats at most.
  private static let mostChanges = 8
  /// For how long trials that results have contradicted show nothing.
  fileprivate static let pauses = Backoff(firstMs: 16_000, longestMs: 600_000)

  private let log: StoreSurroundings.Log
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())
  /// The running trial, which concurrent callers share.
  private let trial = SharedTask<StorageFault?>()

  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, log: @escaping StoreSurroundings.Log) {
    (self.now, self.log) = (now, log)
  }

  /// Nil while it is sound.
  var fault: StorageFault? { state.withLock { $0.fault } }

  /// Whether a trial has shown that a result can be kept, and nothing has failed since.
  var isProven: Bool { state.withLock { $0.isProven } }

  /// What a trial repeats: the changes that have failed, and how many faults were noted before it begins.
  var failed: (changes: [TriedChange], count: Int) { state.withLock { ($0.changes, $0.count) } }

  /// - Parameters:
  ///   - change: what has failed, where it is a change to the database.
  ///   - isOfResult: whether it is a result that could not be kept.
  func note(_ fault: StorageFault, of change: TriedChange? = nil, isOfResult: Bool = false) {
    let now = now()
    let isNews = state.withLock { state in
      // Damage outlasts whatever is found later.
      if state.fault?.isLasting == true { return false }
      let before = state.fault
      state.fault = fault
      if let before { state.fault?.trial = fault.trial.including(before.trial) }
      if isOfResult {
        if state.isProven { state.contradictions += 1 }
        state.lastFailure = now
      }
      state.isProven = false
      state.count += 1
      if let change { state.changes = (state.changes + [change]).suffix(Self.mostChanges) }
      return before?.reason.kind != fault.reason.kind
    }
    if isNews { log(true, "\(fault.reason.sentence) Until it can be written, requests are refused.") }
  }

  /// Notes that a trial has succeeded, which says nothing about damage that was found elsewhere meanwhile, nor about what
  /// has failed since it began.
  /// - Parameter count: how many faults were noted when it began.
  func noteSound(since count: Int? = nil) {
    let now = now()
    let before = state.withLock { state -> StorageFault? in
      if state.fault?.isLasting == true || !state.believesTrials(at: now) { return nil }
      if let count, count != state.count { return nil }
      defer { (state.fault, state.isProven, state.changes) = (nil, true, []) }
      return state.fault
    }
    if let before { log(false, "\(before.reason.subject) can be written again.") }
  }

  /// Notes that a result was kept: trials can be believed.
  func noteKept() { state.withLock { ($0.contradictions, $0.lastFailure) = (0, nil) } }

  /// Runs `work`, or waits for the result of the one that is running.
  func share(_ work: @escaping @Sendable () async -> StorageFault?) async -> StorageFault? {
    await trial.value(work)
  }
}

extension DataDirectory {
  /// The folder of this directory in which a system call failed.
  func folder(of failure: FileFailure) -> String? {
    guard failure.path.hasPrefix("\(path)/"), let end = failure.path.lastIndex(of: "/") else { return nil }
    return String(failure.path[..<end])
  }
}

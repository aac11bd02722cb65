import AtelierProtocol
import POSIX
import Synchronization

/// Whether what the store is given can be kept, as far as its last write shows.
///
/// The first write that fails because of the machine makes it faulty. It is sound again once a trial has succeeded.
final class StoreCondition: Sendable {
  private let log: StoreSurroundings.Log
  private let state = Mutex<StorageFault?>(nil)
  /// The running trial, which concurrent callers share.
  private let trial = Mutex<Task<StorageFault?, Never>?>(nil)

  init(log: @escaping StoreSurroundings.Log) { self.log = log }

  /// Nil while it is sound.
  var fault: StorageFault? { state.withLock { $0 } }

  func note(_ fault: StorageFault) {
    let isNews = state.withLock { present in
      // Damage outlasts whatever is found later.
      if present?.isLasting == true { return false }
      defer { present = fault }
      return present?.reason.kind != fault.reason.kind
    }
    if isNews { log(true, "\(fault.reason.sentence) Until it can be written, requests are refused.") }
  }

  /// Notes that a trial has succeeded, which says nothing about damage that was found elsewhere meanwhile.
  func noteSound() {
    let before = state.withLock { present -> StorageFault? in
      if present?.isLasting == true { return nil }
      defer { present = nil }
      return present
    }
    guard let before else { return }
    let isOfBucket = [.bucketUnusable, .bucketFull].contains(before.reason.kind)
    log(false, isOfBucket ? "The bucket can be written again." : "The data directory can be written again.")
  }

  /// Runs `work`, or waits for the result of the one that is running.
  func share(_ work: @escaping @Sendable () async -> StorageFault?) async -> StorageFault? {
    let task = trial.withLock { running in
      if let running { return running }
      let started = Task { [self] in
        let fault = await work()
        trial.withLock { $0 = nil }
        return fault
      }
      running = started
      return started
    }
    return await task.value
  }
}

extension DataDirectory {
  /// The folder of this directory in which a system call failed.
  func folder(of failure: FileFailure) -> String? {
    guard failure.path.hasPrefix("\(path)/"), let end = failure.path.lastIndex(of: "/") else { return nil }
    return String(failure.path[..<end])
  }
}

import Dispatch
import Synchronization
import TestHouse

@testable import Store

/// Keeps waiting whatever a store would do with files, as a disk does that gives no answer.
final class HeldDisk: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let isReleased = Atomic(false)

  /// Returns once nothing more is begun.
  init(of store: Store) async {
    let begun = Gate()
    for _ in 0..<Store.filesAtOnce {
      Task { [semaphore] in
        try await store.file {
          begun.arrive()
          semaphore.wait()
        }
      }
    }
    await begun.hasSeen(Store.filesAtOnce)
  }

  deinit { release() }

  func release() {
    if isReleased.exchange(true, ordering: .relaxed) { return }
    for _ in 0..<Store.filesAtOnce { semaphore.signal() }
  }
}

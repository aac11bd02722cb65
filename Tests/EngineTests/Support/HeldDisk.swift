import Dispatch
import POSIX
import Synchronization
import ServiceFixture

@testable import Store

/// Keeps waiting whatever a store would do with files, as a disk does that gives no answer.
final class HeldDisk: Sendable {
  private let filing: ThreadPool
  private let semaphore = DispatchSemaphore(value: 0)
  private let isReleased = Atomic(false)

  /// Returns once nothing more is begun.
  init(of store: Store) async {
    filing = store.filing
    let begun = Gate()
    for _ in 0..<filing.width {
      filing.start { [semaphore] in
        begun.arrive()
        semaphore.wait()
      }
    }
    await begun.hasSeen(filing.width)
  }

  /// A test that fails does not keep the others from ending.
  deinit { letGo() }

  /// Returns once what waited is done.
  func release() async {
    letGo()
    await filing.finish()
  }

  private func letGo() {
    if isReleased.exchange(true, ordering: .relaxed) { return }
    for _ in 0..<filing.width { semaphore.signal() }
  }
}

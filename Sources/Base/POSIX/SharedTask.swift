import Synchronization

/// Work that several callers want at the same time: the first begins it, and all who come before its end share the outcome.
/// It goes on whoever of them is cancelled.
package final class SharedTask<Value: Sendable>: Sendable {
  private let running = Mutex<Task<Value, Never>?>(nil)

  package init() {}

  /// Runs `work`, or waits for the one that is running.
  package func value(_ work: @escaping @Sendable () async -> Value) async -> Value {
    let task = running.withLock { running in
      if let running { return running }
      // It cannot end before it is noted here: to end, it needs the lock as well.
      let task = Task { [self] in
        let value = await work()
        end()
        return value
      }
      running = task
      return task
    }
    return await task.value
  }

  private func end() { running.withLock { $0 = nil } }
}

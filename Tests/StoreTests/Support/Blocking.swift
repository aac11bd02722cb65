import Dispatch

/// Lets a thread that is no task's wait for one.
enum Blocking {
  static func run(_ work: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task {
      await work()
      done.signal()
    }
    done.wait()
  }
}

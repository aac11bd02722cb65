import Glibc
import Imaging
import JSONRPC

/// The one thread on which jobs are done, in the order they are given. It ends with the process.
///
/// `@unchecked Sendable` holds because `waiting` is touched only between locking and unlocking `mutex`. The C objects
/// must not move, so they are allocated, and never freed: the thread uses them to the end of the process.
final class JobThread: @unchecked Sendable {
  typealias Job = @Sendable (Workbench) -> Void

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var waiting: [Job] = []

  init() throws(SystemError) {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(arrival, nil)
    // As much stack as a main thread has: the decoders were written for one.
    try DedicatedThread.start(stackBytes: 8 << 20) { [self] in
      let bench = Workbench()
      while true { next()(bench) }
    }
  }

  func give(_ job: @escaping Job) {
    pthread_mutex_lock(mutex)
    waiting.append(job)
    pthread_cond_signal(arrival)
    pthread_mutex_unlock(mutex)
  }

  private func next() -> Job {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while waiting.isEmpty { pthread_cond_wait(arrival, mutex) }
    return waiting.removeFirst()
  }
}

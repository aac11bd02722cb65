import CVips
import Glibc
import JSONRPC

/// The jobs, which one thread runs in the order of arrival.
///
/// `@unchecked Sendable` holds because `waiting` is touched only between locking and unlocking `mutex`. The C objects
/// must not move, so they are allocated, and never freed: the thread uses them to the end of the process.
final class JobQueue: @unchecked Sendable {
  typealias Job = @Sendable (JobContext) -> Void

  /// How long after the last job the memory of the jobs before is given back.
  private static let quietTime = Duration.seconds(1)

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var waiting: [Job] = []

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(arrival, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  func give(_ job: @escaping Job) {
    pthread_mutex_lock(mutex)
    waiting.append(job)
    pthread_cond_signal(arrival)
    pthread_mutex_unlock(mutex)
  }

  /// Runs the jobs on the calling thread, to the end of the process.
  /// - Parameter leave: called once, when the worker has been idle long enough to exit.
  func run(at context: JobContext, _ idleWatch: IdleWatch, leave: () -> Void) -> Never {
    while true {
      if let job = next(within: Self.quietTime) {
        job(context)
        continue
      }
      cvips_keep_memory(false)
      while true {
        if let job = next(within: idleWatch.timeToNextLook) {
          job(context)
          break
        }
        if idleWatch.look() { leave() }
      }
    }
  }

  /// - Parameter limit: for how long to wait; nil for as long as it takes.
  /// - Returns: nil when the time is over.
  private func next(within limit: Duration?) -> Job? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let limit {
      var end = timespec()
      clock_gettime(CLOCK_MONOTONIC, &end)
      let (seconds, attoseconds) = limit.components
      let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
      end = timespec(tv_sec: end.tv_sec + Int(seconds) + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
      while waiting.isEmpty, pthread_cond_timedwait(arrival, mutex, &end) == 0 {}
    } else {
      while waiting.isEmpty { pthread_cond_wait(arrival, mutex) }
    }
    return waiting.isEmpty ? nil : waiting.removeFirst()
  }
}

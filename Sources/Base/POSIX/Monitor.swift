import Glibc

/// A value behind a lock, with a condition that dedicated threads can wait for.
///
/// Only dedicated threads may wait; tasks may only lock, for as long as it takes to change a few fields.
///
/// `@unchecked Sendable` holds because `value` is reached only between locking and unlocking `mutex`, in `withLock` and
/// `wait`, and neither lets a reference to it escape (`State` is `Sendable`). The C objects must not move, so they are
/// allocated for the life of the monitor; nobody can be waiting when the last reference goes.
package final class Monitor<State: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: State

  package init(_ value: State) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Changes the value. Waiting threads check it again only after ``wakeAll()``.
  package func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  package func wakeAll() { pthread_cond_broadcast(condition) }

  /// Wakes one of the waiting threads, where any of them will do.
  package func wakeOne() { pthread_cond_signal(condition) }

  /// Blocks the calling thread until `body` returns a non-nil value; calls it at once and after every wake.
  package func wait<Result>(_ body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }
}

import Glibc

/// A value behind a lock, with a condition that threads of their own can wait for.
///
/// Only dedicated threads may wait; tasks may enter, for as long as it takes to change a few fields.
///
/// `@unchecked Sendable` holds because `value` is reached only between locking and unlocking `mutex`, in `withLock` and
/// `wait`, and neither lets a reference to it escape (`State` is `Sendable`). The C objects must not move, so they are
/// allocated for the life of the monitor; nobody can be waiting when the last reference goes.
final class Monitor<State: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: State

  init(_ value: State) {
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

  /// Changes the value. Waiters look again only after ``wakeAll()``.
  func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  func wakeAll() { pthread_cond_broadcast(condition) }

  /// Blocks the calling thread until `body` returns something; it is asked at once and after every wake.
  func wait<Result>(_ body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }
}

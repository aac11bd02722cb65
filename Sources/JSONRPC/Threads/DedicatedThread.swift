import Glibc

/// A thread for work that blocks, which must not happen on the threads that run tasks.
enum DedicatedThread {
  /// Runs `body` on a thread of its own, which ends with it.
  /// - Throws: ``SystemError`` when the system has no thread left.
  static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    var thread = pthread_t()
    // The box is retained here and released exactly once: by the thread, or below when there is none.
    let box = Unmanaged.passRetained(ThreadBody(body))
    let code = pthread_create(&thread, nil, runThreadBody, box.toOpaque())
    guard code == 0 else {
      box.release()
      throw SystemError(code: code, operation: "start a thread")
    }
    pthread_detach(thread)
  }
}

private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runThreadBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  // `argument` is the box that `start` retained for this thread alone.
  let box = Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
  box.body()
  return nil
}

import Glibc

/// A separate thread for blocking calls; the cooperative pool must never wait for a pipe, a disk or a process.
///
/// Signals are blocked on the thread: they are delivered to the threads that expect them, and a broken pipe makes
/// `write` fail instead of ending the process. Only those that a thread's own fault causes are not.
public enum DedicatedThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts a new thread that runs `body` and then ends.
  /// - Throws: ``SystemError`` when the system cannot create a thread.
  public static func start(
    stackBytes: Int = 1 << 20, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackBytes)
    // The new thread takes over the reference retained here; if no thread is created, the reference is released.
    let argument = Unmanaged.passRetained(Body(body))
    let everySignal = blockSignals()
    defer { restoreSignals(everySignal) }
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, argument.toOpaque())
    guard code == 0 else {
      argument.release()
      throw SystemError(code: code, operation: "start a thread")
    }
  }

  /// Runs `body` on a new thread and suspends until it returns. Cancelling the task does not end the wait early.
  public static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      do {
        try start { continuation.resume(with: Result(catching: body)) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// A new thread inherits the signal mask of its creator, so no signal can be delivered to it before it blocks them.
  private static func blockSignals() -> sigset_t {
    var every = sigset_t()
    var before = sigset_t()
    sigfillset(&every)
    for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS] { sigdelset(&every, fault) }
    pthread_sigmask(SIG_BLOCK, &every, &before)
    return before
  }

  private static func restoreSignals(_ before: sigset_t) {
    var before = before
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}

import Glibc

/// The thread on which all transfers of a client go on.
///
/// All signals are blocked on it: they stay with the threads that expect them, and a broken connection is an error of
/// the write instead of the end of the process.
enum TransferThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts `body` on a new thread, which ends with it.
  static func start(_ body: @escaping @Sendable () -> Void) throws(SystemRefusal) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // A new thread inherits the mask of its maker, so that no signal can slip in between.
    var every = sigset_t()
    var before = sigset_t()
    sigfillset(&every)
    pthread_sigmask(SIG_BLOCK, &every, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    // The reference retained here is the one the new thread takes over; when there is no thread it is given back.
    let argument = Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, argument.toOpaque())
    guard code == 0 else {
      argument.release()
      throw SystemRefusal(operation: "start the transfer thread", code: code)
    }
  }
}

import Glibc
import Synchronization

/// Delivers SIGTERM, SIGINT and SIGHUP as calls on a thread, where any operation is allowed, instead of in a signal
/// handler, where hardly any is.
///
/// Uses a handler rather than a blocked mask, because child processes would inherit the mask and could not be
/// terminated any more.
public enum TerminationSignals {
  /// Calls `received` with the signal's number for each SIGTERM, SIGINT and SIGHUP from now on, instead of ending the
  /// process. A SIGHUP that the process was started to ignore, as by nohup, stays ignored.
  /// To be called once.
  /// - Throws: ``SystemError``.
  public static func watch(_ received: @escaping @Sendable (Int32) -> Void) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .last("create a pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A full pipe must not block a handler; the 64 KiB of signals already in it are enough.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    // Set before the handlers are installed: this also initialises the global that they read.
    signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
    // Open for the life of the process, as the handlers are.
    let input = ends[0]
    try DedicatedThread.start {
      var number: UInt8 = 0
      while true {
        let count = Glibc.read(input, &number, 1)
        if count == 1 { received(Int32(number)) } else if count == 0 || errno != EINTR { return }
      }
    }
    for number in [SIGTERM, SIGINT] { try install(number) }
    if try !isIgnored(SIGHUP) { try install(SIGHUP) }
  }

  /// Ends the process when `milliseconds` are over, whatever it does by then: the kernel counts, and the thread that was
  /// interrupted ends the process. So it needs neither another thread nor memory.
  public static func endProcess(inMilliseconds milliseconds: Int, status: Int32) throws(SystemError) {
    lastStatus.store(status, ordering: .sequentiallyConsistent)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in _exit(lastStatus.load(ordering: .relaxed)) }
    guard sigaction(SIGALRM, &action, nil) == 0 else { throw .last("watch the time") }
    var timer = itimerval()
    timer.it_value = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    guard setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil) == 0 else { throw .last("watch the time") }
  }

  private static func isIgnored(_ number: Int32) throws(SystemError) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { throw .last("look at signal \(number)") }
    // SIG_IGN is the address 1 (signal.h): it is compared, never called.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private static func install(_ number: Int32) throws(SystemError) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = forward
    action.sa_flags = SA_RESTART
    guard sigaction(number, &action, nil) == 0 else { throw .last("watch signal \(number)") }
  }
}

private let signalPipe = Atomic<Int32>(-1)

/// The exit status of a process whose time is over.
private let lastStatus = Atomic<Int32>(0)

/// Runs as a signal handler: uses only an atomic load, `write` and `errno`, all of which POSIX allows there.
private func forward(_ number: Int32) {
  let before = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = Glibc.write(signalPipe.load(ordering: .relaxed), &byte, 1)
  errno = before
}

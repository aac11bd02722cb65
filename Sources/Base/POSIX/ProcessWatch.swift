import Glibc

/// Reports when another process ends, immediately and without polling, through its pidfd (Linux 5.3).
///
/// Used for the `processId` that `initialize` names, and for the parent process.
public final class ProcessWatch: Sendable {
  private let stopped: WakeSignal

  /// Watches the process `processID`.
  /// - Parameter died: called once, on a dedicated thread, when the process has ended.
  /// - Returns: nil when there is no such process: it has already ended, or it belongs to another machine or
  ///   container and its number is meaningless here.
  /// - Throws: ``SystemError`` when the system cannot watch processes.
  public init?(processID: Int32, died: @escaping @Sendable () -> Void) throws(SystemError) {
    guard let number = try ProcessDescriptor.open(processID) else { return nil }
    let host = Descriptor(number)
    stopped = try WakeSignal()
    try DedicatedThread.start { [stopped] in
      let events = Descriptor.poll([(host.number, POLLIN), (stopped.descriptor, POLLIN)])
      if events[1] == 0 { died() }
    }
  }

  /// Watches the parent of this process; a parent that has already ended is reported as well.
  public static func parent(died: @escaping @Sendable () -> Void) throws(SystemError) -> ProcessWatch? {
    let parent = getppid()
    let once = Promise<Void>()
    let report: @Sendable () -> Void = {
      if once.fulfil(()) { died() }
    }
    let watch = try ProcessWatch(processID: parent, died: report)
    // The parent may have ended, and its number been reused, between `getppid` and the watch.
    if watch == nil || getppid() != parent { report() }
    return watch
  }

  /// Stops watching; `died` is not called once the thread has noticed.
  public func stop() { stopped.raise() }

  deinit { stopped.raise() }
}

/// Swift wrapper for `pidfd_open` (Linux 5.3): a descriptor that becomes readable when a process ends.
package enum ProcessDescriptor {
  /// - Returns: a descriptor that the caller must close; nil when there is no such process.
  /// - Throws: ``SystemError`` when the system cannot watch processes.
  package static func open(_ processID: Int32) throws(SystemError) -> Int32? {
    guard processID > 0 else { throw SystemError(code: EINVAL, operation: "watch process \(processID)") }
    guard let symbol = dlsym(nil, "pidfd_open") else {
      throw SystemError(code: ENOSYS, operation: "watch process \(processID)")
    }
    // The module map of the C library leaves <sys/pidfd.h> out. The type is that header's declaration:
    // `int pidfd_open(pid_t pid, unsigned int flags)`; the symbol is never unloaded.
    typealias PidfdOpen = @convention(c) (pid_t, UInt32) -> Int32
    let number = unsafeBitCast(symbol, to: PidfdOpen.self)(processID, 0)
    if number >= 0 { return number }
    if errno == ESRCH { return nil }
    throw .last("watch process \(processID)")
  }
}

import Glibc

/// Tells when another process ends, at once and without asking again and again: by its pidfd (Linux 5.3).
///
/// For the `processId` that `initialize` names, and for the parent (PROTOCOL 1, "A dead host").
public final class ProcessWatch: Sendable {
  private let stopped: WakeSignal

  /// Watches the process `processID`.
  /// - Parameter died: called once, on a thread of its own, when the process has ended.
  /// - Returns: nil when there is no such process here: it has ended already, or it belongs to another machine or
  ///   container and its number means nothing here.
  /// - Throws: ``SystemError`` when processes cannot be watched here.
  public init?(processID: Int32, died: @escaping @Sendable () -> Void) throws(SystemError) {
    guard let number = try ProcessDescriptor.open(processID) else { return nil }
    let host = Descriptor(number)
    stopped = try WakeSignal()
    try DedicatedThread.start { [stopped] in
      let events = Descriptor.poll([(host.number, POLLIN), (stopped.descriptor, POLLIN)])
      if events[1] == 0 { died() }
    }
  }

  /// Watches the parent of this process; one that has ended already counts.
  public static func parent(died: @escaping @Sendable () -> Void) throws(SystemError) -> ProcessWatch? {
    let parent = getppid()
    let once = Promise<Void>()
    let report: @Sendable () -> Void = {
      if once.fulfil(()) { died() }
    }
    let watch = try ProcessWatch(processID: parent, died: report)
    // It may have ended, and its number been given away, between the question and the watch.
    if watch == nil || getppid() != parent { report() }
    return watch
  }

  /// Stops watching; `died` is not called any more once the thread has noticed.
  public func stop() { stopped.raise() }

  deinit { stopped.raise() }
}

/// The C border to `pidfd_open` (Linux 5.3): a descriptor that becomes readable when a process ends.
package enum ProcessDescriptor {
  /// - Returns: a descriptor for the caller to close; nil when there is no such process.
  /// - Throws: ``SystemError`` when processes cannot be watched here.
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

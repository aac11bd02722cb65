import Glibc

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

import Glibc

/// Owns one file descriptor and closes it once.
package struct FileDescriptor: ~Copyable, Sendable {
  package let number: Int32

  package init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// Gives the descriptor to whoever closes it from now on.
  package consuming func released() -> Int32 {
    let number = number
    discard self
    return number
  }

  /// A duplicate descriptor, closed on `exec`, whose number is higher than a child's first descriptors.
  package borrowing func raised() throws(SystemError) -> FileDescriptor {
    let raised = fcntl(number, F_DUPFD_CLOEXEC, 16)
    guard raised >= 0 else { throw .last("duplicate a descriptor") }
    return FileDescriptor(owning: raised)
  }
}

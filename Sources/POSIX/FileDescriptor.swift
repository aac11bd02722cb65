import Glibc

/// Owns one file descriptor and closes it once.
package struct FileDescriptor: ~Copyable, Sendable {
  package let number: Int32

  package init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// A duplicate descriptor, closed on `exec`, whose number is higher than a child's first descriptors.
  package borrowing func raised() throws(SystemError) -> FileDescriptor {
    let raised = fcntl(number, F_DUPFD_CLOEXEC, 16)
    guard raised >= 0 else { throw .last("duplicate a descriptor") }
    return FileDescriptor(owning: raised)
  }
}

/// The two ends of a pipe. Both are closed on `exec`, and their numbers are high enough that installing them as a
/// child's first descriptors cannot overwrite one that is still needed.
package struct PipeEnds: ~Copyable, Sendable {
  package let reading: FileDescriptor
  package let writing: FileDescriptor

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .last("create a pipe") }
    let lowReading = FileDescriptor(owning: ends[0])
    let lowWriting = FileDescriptor(owning: ends[1])
    let reading = try lowReading.raised()
    let writing = try lowWriting.raised()
    self.reading = reading
    self.writing = writing
  }

  /// Keeps the reading end and closes the other.
  package consuming func intoReading() -> FileDescriptor { reading }

  /// Keeps the writing end and closes the other.
  package consuming func intoWriting() -> FileDescriptor { writing }
}

/// A file descriptor owned by this process and closed with its last reference.
package final class Descriptor: Sendable {
  package let number: Int32
  private let closesWhenDone: Bool

  package init(_ number: Int32, closesWhenDone: Bool = true) {
    self.number = number
    self.closesWhenDone = closesWhenDone
  }

  deinit {
    if closesWhenDone { close(number) }
  }

  /// Closes the open file, if this object owns it, but keeps the descriptor number in use: another thread that still
  /// polls the number can never reach an unrelated file under it.
  package func closeEarly() {
    guard closesWhenDone else { return }
    let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    _ = dup2(nowhere, number)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    close(nowhere)
  }

  /// Waits until one of `descriptors` has one of its requested events, or an error.
  /// - Parameter milliseconds: the timeout; -1 waits for ever.
  /// - Returns: the events that occurred, one entry per descriptor, in order.
  package static func poll(_ descriptors: [(number: Int32, events: Int32)], milliseconds: Int32 = -1) -> [Int32] {
    var entries = descriptors.map { pollfd(fd: $0.number, events: Int16(truncatingIfNeeded: $0.events), revents: 0) }
    while Glibc.poll(&entries, nfds_t(entries.count), milliseconds) < 0 {
      guard errno == EINTR || errno == EAGAIN else { return descriptors.map { _ in POLLERR } }
    }
    return entries.map { Int32($0.revents) }
  }
}

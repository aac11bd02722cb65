import Glibc
import Synchronization

/// Writes lines to standard error without ever blocking: when standard error is full or closed, lines are dropped and
/// counted.
public final class StandardError: Sendable {
  /// A pipe that polls as writable accepts this many bytes without blocking (PIPE_BUF), and writes them atomically.
  public static let maximumLineBytes = 4096

  private let descriptor: Descriptor
  private let dropped = Mutex(0)

  /// - Parameter descriptor: the descriptor to write to; tests may replace standard error.
  public init(descriptor: Int32 = STDERR_FILENO) {
    self.descriptor = Self.reopened(descriptor) ?? Descriptor(descriptor, closesWhenDone: false)
  }

  /// Reopens the same pipe or terminal in non-blocking mode: other processes also write to it and could use up the
  /// space that `poll` reported. The original descriptor stays unchanged, because a change would affect them.
  private static func reopened(_ descriptor: Int32) -> Descriptor? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) else { return nil }
    let number = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    return number >= 0 ? Descriptor(number) : nil
  }

  /// The number of dropped lines that are not yet reported.
  public var droppedLines: Int { dropped.withLock { $0 } }

  /// Writes `line` and a newline, or drops them. Cuts longer lines. First reports lines that were dropped before.
  public func write(_ line: String) {
    // Only one thread writes at a time; otherwise another could use up the space that `poll` reported.
    dropped.withLock { dropped in
      if dropped > 0, attempt("(\(dropped) lines were dropped here because standard error was full)") { dropped = 0 }
      if !attempt(line) { dropped += 1 }
    }
  }

  private func attempt(_ line: String) -> Bool {
    var bytes = Array(line.utf8.prefix(Self.maximumLineBytes - 1))
    bytes.append(UInt8(ascii: "\n"))
    let events = Descriptor.poll([(descriptor.number, POLLOUT)], milliseconds: 0)[0]
    guard events & POLLOUT != 0, events & (POLLERR | POLLHUP | POLLNVAL) == 0 else { return false }
    // The region is valid during the call, and `write` reads no more than its length.
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor.number, $0.baseAddress, $0.count) }
    return count == bytes.count
  }
}

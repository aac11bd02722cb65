import Glibc
import Synchronization

/// Lines for standard error that never wait: when nobody reads it, or it is closed, lines are dropped and counted
/// (PROTOCOL 1, "Logs … never block").
public final class StandardError: Sendable {
  /// A pipe that polls as writable takes this much without blocking (PIPE_BUF), and in one piece.
  public static let maximumLineBytes = 4096

  private let descriptor: Descriptor
  private let dropped = Mutex(0)

  /// - Parameter descriptor: where to write; standard error unless a test says otherwise.
  public init(descriptor: Int32 = STDERR_FILENO) {
    self.descriptor = Self.reopened(descriptor) ?? Descriptor(descriptor, closesWhenDone: false)
  }

  /// The same pipe or terminal, opened once more so as not to block: other processes write to it as well and could take
  /// the room that `poll` promised. The descriptor itself is left as it is, because they would feel the change.
  private static func reopened(_ descriptor: Int32) -> Descriptor? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) else { return nil }
    let number = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    return number >= 0 ? Descriptor(number) : nil
  }

  /// How many lines were dropped and not yet told about.
  public var droppedLines: Int { dropped.withLock { $0 } }

  /// Writes `line` and a newline, or drops them. Longer lines are cut. When lines were dropped before, says so first.
  public func write(_ line: String) {
    // One writer at a time, or the room that `poll` promised could be taken by another.
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
    // The region is valid during the call and `write` reads no more than its length.
    let count = bytes.withUnsafeBytes { Glibc.write(descriptor.number, $0.baseAddress, $0.count) }
    return count == bytes.count
  }
}

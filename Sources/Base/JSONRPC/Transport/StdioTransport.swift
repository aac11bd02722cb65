import Glibc
import POSIX
import Synchronization

/// A transport over a pair of file descriptors: pipes, sockets, files, terminals.
public final class StdioTransport: Transport {
  private let input: Descriptor
  private let output: Descriptor
  /// Only a pipe has a known capacity for writes that do not block.
  private let isPipe: Bool
  private let readingStopped: WakeSignal
  private let watchingStopped: WakeSignal
  private let failure = Mutex<SystemError?>(nil)

  /// - Parameters:
  ///   - ownsDescriptors: whether the transport closes the descriptors when it is released.
  ///   - ignoresSIGPIPE: whether this process ignores `SIGPIPE` from now on. False for a library in a program that has its
  ///     own use for it: the threads of a connection have every signal blocked, so they need it no more.
  public init(input: Int32, output: Int32, ownsDescriptors: Bool, ignoresSIGPIPE: Bool = true) throws(SystemError) {
    self.input = Descriptor(input, closesWhenDone: ownsDescriptors)
    self.output = Descriptor(output, closesWhenDone: ownsDescriptors)
    var status = stat()
    isPipe = fstat(output, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    readingStopped = try WakeSignal()
    watchingStopped = try WakeSignal()
    // When the reader leaves, one write fails; the process must not end.
    if ignoresSIGPIPE { signal(SIGPIPE, SIG_IGN) }
  }

  /// The standard streams of this process, reserved for the protocol: the real standard output is duplicated, and
  /// descriptor 1 points to standard error from now on, so that no other output can appear between the messages.
  /// Must be called once, before anything opens a file.
  public static func takingStandardStreams() throws(SystemError) -> StdioTransport {
    try StandardStreams.fillClosed()
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard output >= 0 else { throw .last("duplicate standard output") }
    guard dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else { throw .last("point standard output to standard error") }
    return try StdioTransport(input: STDIN_FILENO, output: output, ownsDescriptors: false)
  }

  public func read(into buffer: inout [UInt8]) throws -> Int {
    while true {
      let events = waitForInput()
      if events[1] != 0 { return 0 }
      // The region is valid during the call, and `read` writes no more than its length.
      let count = buffer.withUnsafeMutableBytes { Glibc.read(input.number, $0.baseAddress, $0.count) }
      if count >= 0 { return count }
      guard errno == EINTR || errno == EAGAIN else { throw SystemError.last("read the input") }
    }
  }

  /// Polls briefly before it sleeps: a host that sends requests one after another sends the next one at once, and
  /// waking a thread takes longer than answering a ping.
  private func waitForInput() -> [Int32] {
    let watched = [(number: input.number, events: POLLIN), (number: readingStopped.descriptor, events: POLLIN)]
    let end = ContinuousClock.now + Self.attention
    repeat {
      let events = Descriptor.poll(watched, milliseconds: 0)
      if events != [0, 0] { return events }
      sched_yield()
    } while ContinuousClock.now < end
    return Descriptor.poll(watched)
  }

  private static let attention = Duration.microseconds(40)

  public func stopReading() { readingStopped.raise() }

  public func write(_ bytes: [UInt8]) throws {
    var written = 0
    while written < bytes.count {
      let rest = bytes[written...]
      // The region is valid during the call, and `write` reads no more than its length.
      let count = rest.withUnsafeBytes { Glibc.write(output.number, $0.baseAddress, $0.count) }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        // The host made its end non-blocking, which affects both ends of a shared file description.
        _ = Descriptor.poll([(output.number, POLLOUT)])
      } else if errno != EINTR {
        let failure = SystemError.last("write to standard output")
        self.failure.withLock { $0 = $0 ?? failure }
        throw failure
      }
    }
  }

  /// The failure that ended the output; nil while everything could be written.
  public var writeFailure: SystemError? { failure.withLock { $0 } }

  public func takesAtOnce(_ count: Int) -> Bool {
    guard isPipe, count <= Self.pipeBuffer else { return false }
    let events = Descriptor.poll([(output.number, POLLOUT)], milliseconds: 0)[0]
    return events & POLLOUT != 0 && events & Self.readerGone == 0
  }

  public var hasReader: Bool {
    Descriptor.poll([(output.number, 0)], milliseconds: 0)[0] & Self.readerGone == 0
  }

  public func waitUntilReaderLeaves() -> Bool {
    let events = Descriptor.poll([(output.number, 0), (watchingStopped.descriptor, POLLIN)])
    return events[0] & Self.readerGone != 0
  }

  public func stopWatching() { watchingStopped.raise() }

  public func closeOutput() { output.closeEarly() }

  /// A pipe that polls as writable accepts this many bytes without blocking (PIPE_BUF).
  private static let pipeBuffer = 4096

  private static let readerGone = POLLERR | POLLHUP | POLLNVAL
}

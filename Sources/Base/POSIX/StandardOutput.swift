import Glibc
import Synchronization

/// Standard output of a command: all that it prints goes through here, so that nothing is lost unnoticed.
///
/// Text is written in large pieces; at a terminal, whenever it ends a line. Once a write has failed, everything
/// later is dropped, and ``finish()`` tells the failure: the work of a command does not depend on who reads it.
public final class StandardOutput: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    var failure: SystemError?
    var hasWritten = false
    /// True when a caller has got the failure.
    var isTold = false
  }

  /// The standard output of this process.
  public static let shared = StandardOutput()

  private static let pieceBytes = 1 << 16

  private let descriptor: Int32
  private let isTerminal: Bool
  private let state = Mutex(State())

  /// - Parameter descriptor: the descriptor to write to; tests may replace standard output.
  public init(descriptor: Int32 = STDOUT_FILENO) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  /// Writes `text`, at the latest in ``finish()``.
  public func write(_ text: String) {
    state.withLock { state in
      state.waiting += Array(text.utf8)
      if state.waiting.count >= Self.pieceBytes || isTerminal && text.hasSuffix("\n") { flush(&state) }
    }
  }

  /// Writes `bytes` now, after all text before them.
  /// - Throws: the failure of this write or of an earlier one, which ``finish()`` does not repeat.
  public func writeNow(_ bytes: [UInt8]) throws(SystemError) {
    let failure = state.withLock { state in
      state.waiting += bytes
      flush(&state)
      state.isTold = state.failure != nil
      return state.failure
    }
    if let failure { throw failure }
  }

  /// Writes what waits now, for a reader that goes on with it meanwhile. ``finish()`` tells a failure.
  public func flush() {
    state.withLock { flush(&$0) }
  }

  /// Writes everything that waits, and asks the file system whether it has taken all of it.
  /// - Throws: the first failure of any write, unless a caller has got it.
  public func finish() throws(SystemError) {
    let failure = state.withLock { state in
      flush(&state)
      if state.hasWritten, state.failure == nil { state.failure = closingFailure() }
      return state.isTold ? nil : state.failure
    }
    if let failure { throw failure }
  }

  private func flush(_ state: inout State) {
    defer { state.waiting = [] }
    guard !state.waiting.isEmpty, state.failure == nil else { return }
    state.hasWritten = true
    do throws(BlockingIO.Failure) {
      try BlockingIO.write(state.waiting, to: descriptor)
    } catch {
      state.failure = SystemError(code: error.code, operation: Self.operation)
    }
  }

  /// A network file system may report only here that the disk is full. A duplicate is closed: the number stays in use.
  private func closingFailure() -> SystemError? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0, close(copy) != 0, errno != EINTR else { return nil }
    return .last(Self.operation)
  }

  private static let operation = "write to standard output"
}

extension SystemError {
  /// Whether a write failed because nobody reads any more: no fault of this process, and whoever left knows.
  public var isReaderGone: Bool { [EPIPE, ECONNRESET, ENOTCONN, ESHUTDOWN].contains(code) }
}

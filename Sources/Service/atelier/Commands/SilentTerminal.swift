import Credentials
import Glibc
import POSIX
import Synchronization

/// A terminal whose echo is temporarily off.
///
/// Meanwhile, the keys that suspend or quit a process are disabled, because either would leave the echo off.
final class SilentTerminal: Sendable {
  private struct State {
    let before: termios
    var isSilent = false
  }

  private let descriptor: Int32
  private let state: Mutex<State>

  /// - Throws: `SystemError` when this is not a terminal.
  init(_ descriptor: Int32) throws(SystemError) {
    self.descriptor = descriptor
    var before = termios()
    guard tcgetattr(descriptor, &before) == 0 else {
      throw SystemError(code: errno, operation: "ask how the terminal is set")
    }
    state = Mutex(State(before: before))
  }

  /// Input typed earlier is discarded: it was echoed.
  /// - Throws: `SystemError`; the terminal is then unchanged.
  func silence() throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      var silent = state.before
      silent.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
      // Both indices are within the array (termios(3)); 0 means “no key” (_POSIX_VDISABLE).
      withUnsafeMutableBytes(of: &silent.c_cc) { keys in
        keys[Int(VQUIT)] = 0
        keys[Int(VSUSP)] = 0
      }
      guard tcsetattr(descriptor, TCSAFLUSH, &silent) == 0 else {
        throw SystemError(code: errno, operation: "make the terminal silent")
      }
      state.isSilent = true
    }
  }

  /// Restores the terminal's settings; callable from any thread, any number of times.
  func restore() {
    state.withLock { state in
      guard state.isSilent else { return }
      var before = state.before
      tcsetattr(descriptor, TCSADRAIN, &before)
      state.isSilent = false
    }
  }

  deinit { restore() }
}

import Glibc
import POSIX

/// The terminal at which a person is asked.
struct AskingTerminal: Sendable {
  /// What the person types is read here.
  let input: Int32
  /// The question is written here.
  let output: Int32

  /// Whether the question is written where everything else is that is said to the person.
  var isStandardError: Bool { output == STDERR_FILENO }

  /// Standard input and error where both are a terminal. Where one is redirected, the terminal of the session, if this
  /// process is in its foreground and another standard stream still leads to a terminal. Nil for a script, a job in the
  /// background, and a program whose caller has taken all its streams.
  static var current: AskingTerminal? {
    if isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 {
      return AskingTerminal(input: STDIN_FILENO, output: STDERR_FILENO)
    }
    guard [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains(where: { isatty($0) == 1 }), let own = ofSession,
      tcgetpgrp(own) == getpgrp()
    else { return nil }
    return AskingTerminal(input: own, output: own)
  }

  /// Opened once, and kept as long as the process lives; nil where the session has no terminal.
  private static let ofSession: Int32? = {
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    return descriptor < 0 ? nil : descriptor
  }()

  func write(_ text: String) { try? BlockingIO.write(Array(text.utf8), to: output) }

  /// The line that is typed, as far as it is needed; nil at the end of the input. A terminal delivers whole lines.
  func readLine() -> String? {
    var bytes = [UInt8](repeating: 0, count: 256)
    while true {
      let count = Glibc.read(input, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      // What is not UTF-8 is no yes.
      return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
  }
}

import AtelierProtocol
import Glibc
import JSONRPC
import Synchronization

/// Progress for a person on standard error: one line that changes on a terminal, a line a phase elsewhere.
final class ProgressLine: Sendable {
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let output = StandardError()
  private let last = Mutex("")

  func show(_ progress: GenerationProgress) {
    let percent = progress.fraction.map { " \(Int($0 * 100)) %" } ?? ""
    let step = progress.step.map { " (\($0.index + 1) of \($0.count))" } ?? ""
    let text = isTerminal ? progress.message + step + percent : progress.message + step
    last.withLock { last in
      guard text != last else { return }
      last = text
      if isTerminal {
        Console.error("\r\u{1B}[K\(text)")
      } else {
        output.write(text)
      }
    }
  }

  /// Leaves the terminal's line clean.
  func finish() {
    if isTerminal { Console.error("\r\u{1B}[K") }
  }
}

import POSIX

/// Asks the person before what cannot be undone, or costs money.
enum Confirmation {
  /// Asks a question that “y” or “yes” answers with yes, and everything else with no.
  /// - Parameters:
  ///   - question: what is asked, without the answers to choose from.
  ///   - yes: whether the person has agreed already, with `--yes`.
  /// - Throws: `CommandFailure` when the answer is no; `CancellationError` when the task is cancelled. Nothing where nobody
  ///   can be asked: a script goes on.
  static func ask(_ question: String, yes: Bool) async throws {
    guard !yes, let terminal = AskingTerminal.current else { return }
    terminal.write(Terminal(terminal.output).wrapped("\(question.onOneLine) [y/N]") + " ")
    let answer: String?
    do {
      answer = try await line(from: terminal)
    } catch {
      terminal.write("\n")
      throw error
    }
    // The end of the input has ended no line.
    if answer == nil { terminal.write("\n") }
    guard isYes(answer ?? "") else { throw CommandFailure(sentence: "Nothing was done.") }
  }

  static func isYes(_ answer: String) -> Bool { ["y", "yes"].contains(answer.lowercased().trimmingSpaces) }

  /// The line that is typed; nil at the end of the input.
  private static func line(from terminal: AskingTerminal) async throws -> String? {
    let (lines, waiting) = AsyncStream<String?>.makeStream()
    // A cancelled task does not wait for the thread, which ends with the process.
    try DedicatedThread.start {
      waiting.yield(terminal.readLine())
      waiting.finish()
    }
    for await line in lines { return line }
    throw CancellationError()
  }
}

extension String {
  fileprivate var trimmingSpaces: Substring {
    let start = drop { $0.isWhitespace }
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }
}

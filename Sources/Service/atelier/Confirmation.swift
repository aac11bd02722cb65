import Glibc
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
    guard !yes, Terminal.canAsk else { return }
    Console.error(Terminal(STDERR_FILENO).wrapped("\(question.onOneLine) [y/N]") + " ")
    let answer: String?
    do {
      answer = try await line()
    } catch {
      Console.error("\n")
      throw error
    }
    // The end of the input has ended no line.
    if answer == nil { Console.error("\n") }
    guard isYes(answer ?? "") else { throw CommandFailure(sentence: "Nothing was done.") }
  }

  static func isYes(_ answer: String) -> Bool { ["y", "yes"].contains(answer.lowercased().trimmingSpaces) }

  /// The line that is typed; nil at the end of the input.
  private static func line() async throws -> String? {
    let (lines, waiting) = AsyncStream<String?>.makeStream()
    // A cancelled task does not wait for the thread, which ends with the process.
    try DedicatedThread.start {
      waiting.yield(readLine())
      waiting.finish()
    }
    for await line in lines { return line }
    throw CancellationError()
  }

  /// A terminal delivers whole lines.
  private static func readLine() -> String? {
    var bytes = [UInt8](repeating: 0, count: 256)
    while true {
      let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }
  }
}

extension String {
  fileprivate var trimmingSpaces: Substring {
    let start = drop { $0.isWhitespace }
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }
}

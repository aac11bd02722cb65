import Glibc

/// Asks the person at the terminal before something that cannot be undone.
enum Confirmation {
  /// Asks `question` on standard error and reads the answer, a line, from standard input.
  ///
  /// Nothing is asked where `yes` has answered already, or where standard input or standard error is no terminal.
  /// - Throws: `CommandFailure` when the answer is not y or yes.
  static func ask(_ question: String, yes: Bool) throws {
    guard !yes, isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return }
    Console.error("\(question.onOneLine) [y/N] ")
    let answer = readLine()
    // The end of the input shows no line break.
    if answer == nil { Console.error("\n") }
    let word = (answer ?? "").lowercased().filter { !$0.isWhitespace }
    guard ["y", "yes"].contains(word) else { throw CommandFailure(sentence: "Nothing was done.") }
  }
}

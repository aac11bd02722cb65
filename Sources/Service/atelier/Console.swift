import AtelierProtocol
import CConfinement
import CProcess
import Credentials
import Engine
import Glibc
import JSON
import POSIX
import Store

/// Output for the person at the terminal.
enum Console {
  /// Writes to standard error; errors are ignored if it is closed.
  static func error(_ text: String) {
    try? BlockingIO.write(Array(text.utf8), to: STDERR_FILENO)
  }

  /// Tells the person a sentence on a line of its own, broken between words where standard error is a terminal.
  static func tell(_ sentence: String) { error(Terminal(STDERR_FILENO).wrapped("atelier: \(sentence.onOneLine)") + "\n") }

  /// Prints an entry of a list, broken between words where standard output is a terminal. Paths stay whole: they are copied.
  static func printEntry(_ lines: [String]) {
    let terminal = Terminal(STDOUT_FILENO)
    for line in lines {
      let isPath = line.first { $0 != " " }.map { "/~".contains($0) } ?? false
      print(isPath ? line : terminal.wrapped(line, indentation: 4))
    }
  }

  /// Ends the process, once everything printed has been written: with 1 instead of 0 if it could not be.
  static func end(status: Int32) -> Never {
    do throws(SystemError) {
      try StandardOutput.shared.finish()
    } catch {
      // Whoever closed the pipe wants no more.
      if !error.isReaderGone { Console.error("atelier: \(error)\n") }
      Glibc.exit(status == 0 ? 1 : status)
    }
    Glibc.exit(status)
  }

  /// Prints an answer in the format of the protocol.
  static func printJSON(_ answer: some Encodable) throws {
    print(String(decoding: try JSONValueEncoder().encode(answer).serialized(), as: UTF8.self))
  }
}

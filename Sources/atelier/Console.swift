import AtelierProtocol
import Glibc
import JSONRPC

/// Text for the person at the terminal.
enum Console {
  /// Writes to standard error; a closed one is nobody's loss.
  static func error(_ text: String) {
    try? BlockingIO.write(Array(text.utf8), to: STDERR_FILENO)
  }

  /// Prints an answer as the protocol gives it.
  static func printJSON(_ answer: some Encodable) throws {
    print(String(decoding: try JSONValueEncoder().encode(answer).serialized(), as: UTF8.self))
  }
}

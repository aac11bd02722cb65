import AtelierProtocol
import Credentials
import Encodings
import Glibc
import POSIX

/// Reads a secret from the user of a command: typed without echo on a terminal, otherwise a line of standard input.
enum SecretInput {
  /// - Parameter prompt: the prompt on a terminal.
  /// - Throws: `CommandFailure` when there is no input.
  static func read(prompt: String) async throws -> SecretText {
    let isTerminal = isatty(STDIN_FILENO) == 1
    let terminal = isTerminal ? try SilentTerminal(STDIN_FILENO) : nil
    if let terminal {
      try TerminationSignals.watch { number in
        terminal.restore()
        Console.error("\n")
        Glibc.exit(128 + number)
      }
      try terminal.silence()
      Console.error(prompt)
    }
    defer {
      if let terminal {
        terminal.restore()
        // The line ending was not echoed either.
        Console.error("\n")
      }
    }
    guard let line = try await DedicatedThread.run({ try readLine() }) else {
      throw CommandFailure(sentence: "No key came. Type it when asked, or pipe it in as one line.")
    }
    return SecretText(line)
  }

  /// - Returns: the first line without its line ending; nil when the input has none.
  private static func readLine() throws -> String? {
    var bytes: [UInt8] = []
    // Read byte by byte, so that nothing after the line is consumed; a line longer than a key with a byte order mark
    // and its line ending is not a key.
    while bytes.count <= APIKey.maximumLength + 5 {
      var byte: UInt8 = 0
      let count = Glibc.read(STDIN_FILENO, &byte, 1)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw SystemError(code: errno, operation: "read the key") }
      if count == 0 && bytes.isEmpty { return nil }
      if count == 0 || byte == UInt8(ascii: "\n") { break }
      bytes.append(byte)
    }
    do throws(SavedText.OtherEncoding) {
      bytes = try SavedText.checked(bytes)
    } catch {
      throw CommandFailure(sentence: "The key on standard input \(error.problem)")
    }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

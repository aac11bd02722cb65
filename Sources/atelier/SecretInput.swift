import AtelierProtocol
import Credentials
import Glibc
import JSONRPC

/// Takes a secret from whoever runs a command: typed unseen on a terminal, else a line of standard input.
enum SecretInput {
  /// - Parameter prompt: what a person at a terminal is asked.
  /// - Throws: `CommandFailure` when nothing comes.
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
        // The line's end was not shown either.
        Console.error("\n")
      }
    }
    guard let line = try await DedicatedThread.run({ try readLine() }) else {
      throw CommandFailure(sentence: "No key came. Type it when asked, or pipe it in as one line.")
    }
    return SecretText(line)
  }

  /// - Returns: the first line without its end; nil when the input has none.
  private static func readLine() throws -> String? {
    var bytes: [UInt8] = []
    // A byte at a time, so that what follows the line stays where it is; one longer than a key is no key.
    while bytes.count <= APIKey.maximumLength + 2 {
      var byte: UInt8 = 0
      let count = Glibc.read(STDIN_FILENO, &byte, 1)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw SystemError(code: errno, operation: "read the key") }
      if count == 0 && bytes.isEmpty { return nil }
      if count == 0 || byte == UInt8(ascii: "\n") { break }
      bytes.append(byte)
    }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}

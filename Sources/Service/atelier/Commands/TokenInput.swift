import AtelierProtocol
import Encodings
import Glibc
import POSIX

/// Reads an identity token, which is secret and so no argument, from a file, a pipe or standard input.
enum TokenInput {
  /// Far more than a token has, in bytes: one that is too long is refused as any other is.
  private static let mostBytes = 1 << 20

  /// - Parameter file: its path; `-` for standard input.
  /// - Returns: the token, without the spaces and line endings around and within it.
  /// - Throws: `CommandFailure` when it cannot be read.
  static func read(_ file: String) async throws -> SecretText {
    let isStandardInput = file == StandardInput.name
    guard !isStandardInput || isatty(STDIN_FILENO) == 0 else {
      throw CommandFailure(sentence: "- reads the token from standard input, which is a terminal: pipe one in.")
    }
    let bytes = try await DedicatedThread.run {
      let descriptor = isStandardInput ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw failure(file) }
      defer { if !isStandardInput { close(descriptor) } }
      return try read(descriptor, named: file)
    }
    do throws(SavedText.OtherEncoding) {
      return SecretText(String(decoding: try SavedText.checked(bytes), as: UTF8.self).filter { !$0.isWhitespace })
    } catch {
      let place = isStandardInput ? "on standard input" : "in “\(file.onOneLine)”"
      throw CommandFailure(sentence: "The token \(place) \(error.problem)")
    }
  }

  private static func read(_ descriptor: Int32, named file: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= mostBytes {
      let count = Glibc.read(descriptor, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(file) }
      if count == 0 { break }
      bytes += part[..<count]
    }
    return bytes
  }

  private static func failure(_ file: String) -> CommandFailure {
    CommandFailure(sentence: FileFailure(operation: "read", path: file, code: errno).sentence)
  }
}

import AtelierProtocol
import Encodings
import Glibc
import POSIX

/// A photo on standard input, which a command names as `-`.
enum StandardInput {
  static let name = "-"

  /// How many pictures are to come from standard input.
  static func uses(in requests: [Generate]) -> Int {
    requests.flatMap { [$0.image].compactMap { $0 } + ($0.references ?? []) }.count { $0 == .path(name) }
  }

  /// The photo, if one of the requests names it.
  static func photo(ifIn requests: [Generate], maximumBytes: Int) async throws -> InlineImage? {
    uses(in: requests) > 0 ? try await photo(maximumBytes: maximumBytes) : nil
  }

  /// Reads standard input to its end.
  /// - Throws: `CommandFailure` when it has no photo, or one that is too large.
  static func photo(maximumBytes: Int) async throws -> InlineImage {
    guard isatty(STDIN_FILENO) == 0 else {
      throw CommandFailure(sentence: "- reads a photo from standard input, which is a terminal: pipe one in.")
    }
    let bytes = try await DedicatedThread.run { try read(maximumBytes: maximumBytes) }
    guard let image = InlineImage(base64: Base64.encoded(bytes)) else {
      throw CommandFailure(sentence: "Standard input is empty: pipe a photo in.")
    }
    return image
  }

  private static func read(maximumBytes: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(STDIN_FILENO, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw CommandFailure(sentence: SystemError(code: errno, operation: "read standard input").description)
      }
      if count == 0 { return bytes }
      bytes += part[..<count]
      guard bytes.count <= maximumBytes else {
        throw CommandFailure(
          sentence: "The photo on standard input has more than \(maximumBytes) bytes. Choose a smaller one.")
      }
    }
  }
}

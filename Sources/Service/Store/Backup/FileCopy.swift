import Crypto
import Encodings
import Glibc
import POSIX

/// Copies of files whose content is compared with digests, in pieces: a database may be larger than the memory.
enum FileCopy {
  struct Content: Equatable {
    /// 64 lowercase hexadecimal digits.
    var sha256: String
    var bytes: Int
  }

  private static let pieceBytes = 1 << 20

  /// Copies the regular file `source` into the new file `target`, readable by its owner only, and makes it durable. No
  /// incomplete file is left.
  /// - Returns: what was written.
  static func copy(_ source: String, to target: String) throws(FileFailure) -> Content {
    let input = try open(source)
    defer { close(input) }
    try FileSystem.remove(target)
    let output = Glibc.open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw FileFailure(operation: "create", path: target, code: errno) }
    do throws(FileFailure) {
      guard fchmod(output, 0o600) == 0 else { throw FileFailure(operation: "protect", path: target, code: errno) }
      let content = try read(input, path: source) { piece throws(FileFailure) in
        try FileSystem.write(piece, to: output, path: target)
      }
      try FileSystem.sync(output, path: target)
      guard close(output) == 0 else { throw FileFailure(operation: "close", path: target, code: errno) }
      return content
    } catch {
      close(output)
      unlink(target)
      throw error
    }
  }

  /// The content of the regular file `path`; a symbolic link is refused.
  static func content(of path: String) throws(FileFailure) -> Content {
    let input = try open(path)
    defer { close(input) }
    return try read(input, path: path) { _ in }
  }

  private static func open(_ path: String) throws(FileFailure) -> Int32 {
    let descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileFailure(operation: "open", path: path, code: errno) }
    do throws(FileFailure) {
      guard try FileStatus(descriptor: descriptor, path: path).isRegularFile else {
        throw FileFailure(operation: "read", path: path, code: EINVAL)
      }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func read(
    _ descriptor: Int32, path: String, _ use: ([UInt8]) throws(FileFailure) -> Void
  ) throws(FileFailure) -> Content {
    var hash = SHA256()
    var bytes = 0
    var piece = [UInt8](repeating: 0, count: pieceBytes)
    while true {
      // `read` writes no more than the count it is given.
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileFailure(operation: "read", path: path, code: errno) }
      if count == 0 { return Content(sha256: Hexadecimal.text(hash.finalize()), bytes: bytes) }
      let part = count == piece.count ? piece : Array(piece[..<count])
      part.withUnsafeBytes { hash.update(bufferPointer: $0) }
      try use(part)
      bytes += count
    }
  }
}

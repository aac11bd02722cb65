import Glibc
import HTTPTypes
import Hummingbird
import NIOCore
import POSIX

/// The body of an upload, in a file without a name: it takes no memory while it comes, and nothing of it is left however
/// the process ends.
final class Upload: Sendable {
  private let descriptor: Int32
  private let count: Int

  private init(_ descriptor: Int32, count: Int) { (self.descriptor, self.count) = (descriptor, count) }

  deinit { close(descriptor) }

  /// Receives the body of a request.
  /// - Throws: `WebError` when it is too large, too slow, or cut; `FileFailure` when it cannot be written.
  static func receive(_ request: Request, maximumBytes: Int, deadline: Duration) async throws -> Upload {
    let declared = request.headers[.contentLength].flatMap { Int($0) }
    // Refused before anything of it is read.
    if let declared, declared > maximumBytes { throw WebError.tooLarge(maximumBytes) }
    return try await withDeadline(deadline, orThrow: .uploadTooSlow) {
      try await receive(request, maximumBytes: maximumBytes, declared: declared)
    }
  }

  private static func receive(_ request: Request, maximumBytes: Int, declared: Int?) async throws -> Upload {
    let descriptor = try nameless()
    var count = 0
    do {
      for try await part in request.body {
        count += part.readableBytes
        guard count <= maximumBytes else { throw WebError.tooLarge(maximumBytes) }
        try await LazyThreadPool.hostFiles.run {
          try FileSystem.write(Array(buffer: part), to: descriptor, path: "the upload")
        }
      }
      guard declared.map({ $0 == count }) ?? true else { throw WebError.uploadInterrupted }
    } catch {
      close(descriptor)
      switch error {
      case is WebError, is FileFailure, is CancellationError: throw error
      default: throw WebError.uploadInterrupted
      }
    }
    return Upload(descriptor, count: count)
  }

  /// A new file in the folder for temporary files, which loses its name at once.
  private static func nameless() throws(FileFailure) -> Int32 {
    let folder = ProcessEnvironment.value(of: "TMPDIR") ?? "/tmp"
    let path = "\(folder)/atelier-web-\(String(UInt64.random(in: 0...UInt64.max), radix: 16))"
    let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFailure(operation: "create a file in", path: folder, code: errno) }
    unlink(path)
    return descriptor
  }

  /// All of it.
  func bytes() async throws -> [UInt8] {
    try await LazyThreadPool.hostFiles.run { [descriptor, count] in
      var bytes = [UInt8](repeating: 0, count: count)
      var position = 0
      while position < count {
        let got = bytes.withUnsafeMutableBytes { buffer in
          pread(descriptor, buffer.baseAddress.map { $0 + position }, count - position, off_t(position))
        }
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { throw FileFailure(operation: "read", path: "the upload", code: got < 0 ? errno : EIO) }
        position += got
      }
      return bytes
    }
  }
}

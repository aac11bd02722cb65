import Glibc
import JSONRPC

/// Reads the photo a host names by its path.
public enum PhotoFile {
  /// Reads the whole file on a thread of its own; a cancelled caller does not wait for a slow disk.
  ///
  /// Only regular files are opened: folders, pipes, devices and sockets are refused.
  /// - Parameter maximumBytes: a longer file is refused by its size, before anything is read.
  /// - Throws: ``ImagingError``: `file_access_denied` when a permission is missing, with the one that is
  ///   (REQUIREMENTS 2.6), `image_too_large` with `{bytes, maxBytes}`, else `invalid_image`;
  ///   or `CancellationError`.
  public static func read(_ path: String, maximumBytes: Int) async throws -> [UInt8] {
    try await onThread { try readBlocking(path, maximumBytes: maximumBytes) }
  }

  /// Refuses what ``read(_:maximumBytes:)`` would refuse, without reading the file.
  /// - Throws: as ``read(_:maximumBytes:)``.
  public static func check(_ path: String, maximumBytes: Int) async throws {
    try await onThread {
      let refusal = PhotoFileRefusal(path: path)
      _ = try size(of: try open(path, refusal), maximumBytes: maximumBytes, refusal)
    }
  }

  private static func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let outcome = Outcome<Value>()
    do {
      try DedicatedThread.start { outcome.settle(Result(catching: body)) }
    } catch {
      throw ImagingError(.internal, "The photo could not be read: the system has no thread to spare. Try again later.")
    }
    return try await outcome.wait()
  }

  /// As ``read(_:maximumBytes:)``, on the calling thread.
  public static func readBlocking(_ path: String, maximumBytes: Int) throws(ImagingError) -> [UInt8] {
    let refusal = PhotoFileRefusal(path: path)
    let file = try open(path, refusal)
    let size = try size(of: file, maximumBytes: maximumBytes, refusal)
    return try readToEnd(file, expected: size, maximumBytes: maximumBytes, refusal)
  }

  private static func open(_ path: String, _ refusal: PhotoFileRefusal) throws(ImagingError) -> FileDescriptor {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw refusal.missing() }
    // Looked at before it is opened: opening a device may already do something.
    var status = stat()
    guard stat(path, &status) == 0 else { throw refusal.unreachable(errno) }
    try refusal.checkIsFile(status)
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw refusal.unreachable(errno) }
    return FileDescriptor(owning: descriptor)
  }

  private static func size(
    of file: borrowing FileDescriptor, maximumBytes: Int, _ refusal: PhotoFileRefusal
  ) throws(ImagingError) -> Int {
    var status = stat()
    // Looked at again: what was opened counts, whatever the path named a moment ago.
    guard fstat(file.number, &status) == 0 else { throw refusal.unreachable(errno) }
    try refusal.checkIsFile(status)
    let size = Int(status.st_size)
    guard size > 0 else { throw refusal.empty() }
    guard size <= maximumBytes else { throw refusal.tooLarge(bytes: size, maximumBytes: maximumBytes) }
    return size
  }

  /// Reads on past the size the file had when it was opened, so that one being written is noticed.
  static func readToEnd(
    _ file: borrowing FileDescriptor, expected: Int, maximumBytes: Int, _ refusal: PhotoFileRefusal
  ) throws(ImagingError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: expected + 1)
    var count = 0
    while true {
      if count == bytes.count {
        guard count <= maximumBytes else { throw refusal.tooLarge(bytes: count, maximumBytes: maximumBytes) }
        bytes.append(contentsOf: repeatElement(0, count: min(bytes.count, maximumBytes + 1 - count)))
      }
      // The pointer is used only inside the closure, and the offset stays below the count.
      let step = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(file.number, buffer.baseAddress.map { $0 + count }, buffer.count - count)
      }
      if step == 0 { break }
      if step > 0 {
        count += step
      } else if errno != EINTR {
        throw refusal.unreachable(errno)
      }
    }
    guard count > 0 else { throw refusal.empty() }
    guard count <= maximumBytes else { throw refusal.tooLarge(bytes: count, maximumBytes: maximumBytes) }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}

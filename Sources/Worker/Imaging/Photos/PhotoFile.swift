import AtelierProtocol
import Glibc
import JSON
import POSIX

/// Reads a photo that a host specifies by its path.
public enum PhotoFile {
  /// Reads the whole file on a dedicated thread; a cancelled caller does not wait for a slow disk.
  ///
  /// Only regular files are opened: folders, pipes, devices and sockets are refused.
  /// - Parameters:
  ///   - maximumBytes: a longer file is refused because of its size, before it is read.
  ///   - folders: the folders that the file must be in; nil if it may be anywhere.
  /// - Throws: ``ImagingError``: `file_access_denied` when a permission is missing, naming that permission, or when the
  ///   file is not in one of the folders; `image_too_large` with `{bytes, maxBytes}`, otherwise `invalid_image`; or
  ///   `CancellationError`.
  public static func read(
    _ path: String, maximumBytes: Int, within folders: AllowedFolders? = nil
  ) async throws -> [UInt8] {
    try await onThread { try readBlocking(path, maximumBytes: maximumBytes, within: folders) }
  }

  /// Refuses what ``read(_:maximumBytes:within:)`` would refuse, without reading the file.
  /// - Throws: as ``read(_:maximumBytes:within:)``.
  public static func check(_ path: String, maximumBytes: Int, within folders: AllowedFolders? = nil) async throws {
    try await onThread {
      let refusal = PhotoFileRefusal(path: path)
      _ = try size(of: try open(path, within: folders, refusal), maximumBytes: maximumBytes, refusal)
    }
  }

  private static func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let outcome = Outcome<Value>()
    do {
      try LazyThreadPool.hostFiles.start { outcome.set(Result(catching: body)) }
    } catch {
      throw ImagingError(
        .internal, "The photo could not be opened. Please try again later.", hint: "The system has no thread to spare.")
    }
    return try await outcome.wait()
  }

  /// As ``read(_:maximumBytes:within:)``, on the calling thread.
  public static func readBlocking(
    _ path: String, maximumBytes: Int, within folders: AllowedFolders? = nil
  ) throws(ImagingError) -> [UInt8] {
    let refusal = PhotoFileRefusal(path: path)
    let file = try open(path, within: folders, refusal)
    let size = try size(of: file, maximumBytes: maximumBytes, refusal)
    return try readToEnd(file, expected: size, maximumBytes: maximumBytes, refusal)
  }

  private static func open(
    _ path: String, within folders: AllowedFolders?, _ refusal: PhotoFileRefusal
  ) throws(ImagingError) -> FileDescriptor {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw refusal.missing() }
    if let folders { return try open(path, within: folders, refusal) }
    // Checked before opening: opening a device may already have side effects.
    var status = stat()
    guard stat(path, &status) == 0 else {
      let code = errno
      let alike = code == ENOENT ? LookAlikePath.paths(like: path) : []
      guard let only = alike.first, alike.count == 1, stat(only, &status) == 0 else {
        throw alike.count > 1 ? refusal.several(alike) : refusal.unreachable(code)
      }
      return try openFile(only, status, refusal)
    }
    return try openFile(path, status, refusal)
  }

  private static func openFile(
    _ path: String, _ status: stat, _ refusal: PhotoFileRefusal
  ) throws(ImagingError) -> FileDescriptor {
    try refusal.checkIsFile(status)
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw refusal.unreachable(errno) }
    return FileDescriptor(owning: descriptor)
  }

  private static func open(
    _ path: String, within folders: AllowedFolders, _ refusal: PhotoFileRefusal
  ) throws(ImagingError) -> FileDescriptor {
    guard let found = folders.open(path) ?? openLookAlike(of: path, within: folders) else {
      throw refusal.outside(of: folders)
    }
    var status = stat()
    guard fstat(found.number, &status) == 0 else { throw refusal.outside(of: folders) }
    try refusal.checkIsFile(status)
    // Opens the same file once more, now for reading, whatever its path names meanwhile.
    let descriptor = Glibc.open("/proc/self/fd/\(found.number)", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw refusal.outside(of: folders) }
    return FileDescriptor(owning: descriptor)
  }

  /// The one file within the folders whose path looks the same. Nothing is looked for outside of them.
  private static func openLookAlike(of path: String, within folders: AllowedFolders) -> FileDescriptor? {
    guard folders.contain(path) else { return nil }
    let alike = LookAlikePath.paths(like: path)
    return alike.count == 1 ? alike.first.flatMap { folders.open($0) } : nil
  }

  private static func size(
    of file: borrowing FileDescriptor, maximumBytes: Int, _ refusal: PhotoFileRefusal
  ) throws(ImagingError) -> Int {
    var status = stat()
    // Checked again: the opened file counts, whatever the path named before.
    guard fstat(file.number, &status) == 0 else { throw refusal.unreachable(errno) }
    try refusal.checkIsFile(status)
    let size = Int(status.st_size)
    guard size > 0 else { throw refusal.empty() }
    guard size <= maximumBytes else { throw refusal.tooLarge(bytes: size, maximumBytes: maximumBytes) }
    return size
  }

  /// Reads beyond the size that the file had when it was opened, to detect a file that is still being written.
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

/// A number of bytes in human-readable form: "812 bytes", "2.4 MB" (of a million bytes).
struct ByteCount: CustomStringConvertible {
  var bytes: Int

  init(_ bytes: Int) { self.bytes = bytes }

  var description: String {
    guard bytes >= 1000 else { return "\(bytes) bytes" }
    let (unit, name) = bytes < 1_000_000 ? (1000, "kB") : (1_000_000, "MB")
    // Rounded up, so that a size over a limit never reads as the limit itself.
    let tenths = (bytes + unit / 10 - 1) / (unit / 10)
    return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
  }
}

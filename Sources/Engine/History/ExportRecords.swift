import AtelierProtocol
import Glibc
import JSONRPC

/// The file of records while it is being written; it is gone with this value unless it was given its name.
///
/// Locked, so that two exports into one folder do not write into each other.
final class ExportRecords: Sendable {
  private let descriptor: Int32
  private let path: String
  private let folder: OutputDirectory

  init(partialPath: String, folder: OutputDirectory) throws {
    path = partialPath
    self.folder = folder
    descriptor = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw folder.failure("The records could not be put", errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw AtelierError(
        .fileAccessDenied, "Another export into \(folder.path) is going on. Wait for its end, or name another folder.")
    }
    guard ftruncate(descriptor, 0) == 0 else { throw folder.failure("The records could not be put", errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func append(_ bytes: [UInt8]) async throws {
    try await DedicatedThread.run { try self.write(bytes) }
  }

  private func write(_ bytes: [UInt8]) throws {
    var offset = 0
    while offset < bytes.count {
      // The buffer is only read, and only for the length of the call.
      let written = bytes[offset...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 {
        if errno == EINTR { continue }
        throw folder.failure("The records could not be put", errno)
      }
      offset += written
    }
  }

  func synchronise() throws {
    guard fsync(descriptor) == 0 else { throw folder.failure("The records could not be put", errno) }
  }

  /// Leaves nothing of it.
  func remove() async {
    try? await DedicatedThread.run { [path] in _ = unlink(path) }
  }
}

import Glibc

/// The metadata of a file, as returned by `stat`.
package struct FileStatus: Sendable, Equatable {
  package let device: UInt64
  package let inode: UInt64
  private let mode: mode_t
  package let owner: uid_t
  package let bytes: Int
  /// Nanoseconds since 1970 of the last change of the content, and of the last change of content or metadata.
  package let contentChanged: Int64
  private let anythingChanged: Int64

  package var isDirectory: Bool { mode & S_IFMT == S_IFDIR }
  package var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
  package var permissions: mode_t { mode & 0o7777 }
  /// True when anyone but the owner has any access right.
  package var isShared: Bool { permissions & 0o077 != 0 }

  /// - Parameter followingLinks: whether a symbolic link at the end of the path is followed.
  /// - Returns: nil when `path` does not exist.
  package init?(path: String, followingLinks: Bool = false) throws(FileFailure) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
      if errno == ENOENT { return nil }
      throw FileFailure(operation: "look at", path: path, code: errno)
    }
    self.init(status)
  }

  /// Reads the status of the open file `descriptor`.
  package init(descriptor: Int32, path: String) throws(FileFailure) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw FileFailure(operation: "look at", path: path, code: errno)
    }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    mode = status.st_mode
    owner = status.st_uid
    bytes = Int(status.st_size)
    contentChanged = Self.nanoseconds(status.st_mtim)
    anythingChanged = Self.nanoseconds(status.st_ctim)
  }

  package var identity: FileIdentity { FileIdentity(device: device, inode: inode) }

  package func isSameFile(as other: FileStatus) -> Bool { identity == other.identity }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
  }
}

/// Which file it is, whatever its name.
package struct FileIdentity: Sendable, Hashable, Codable {
  package var device: UInt64
  package var inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// A system call on a file that failed.
package struct FileFailure: Error, Equatable {
  /// The attempted operation, such as "write to".
  package var operation: String
  package var path: String
  /// The `errno` of the call.
  package var code: Int32

  package init(operation: String, path: String, code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// True when there is no space or no quota left.
  package var isStorageFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }

  /// True when the file does not exist.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// True when this process, or the system, cannot open any more files.
  package var isOutOfDescriptors: Bool { SystemError.isOutOfDescriptors(code) }

  /// The system's message for the code, such as "Permission denied".
  package var reason: String { String(cString: strerror(code)) }

  package var sentence: String { "Could not \(operation) \(path): \(reason)." }
}

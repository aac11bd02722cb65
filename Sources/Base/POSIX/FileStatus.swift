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

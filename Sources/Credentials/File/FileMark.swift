import Glibc

/// What a file looks like from outside.
struct FileMark: Sendable, Equatable {
  private let device: UInt64
  private let inode: UInt64
  private let mode: mode_t
  let owner: uid_t
  private let bytes: Int64
  /// Nanoseconds since 1970 of the last change of its content, and of anything about it.
  let contentChanged: Int64
  private let anythingChanged: Int64

  /// - Returns: nil when nothing is there, or it cannot be looked at.
  init?(_ path: String, followingLinks: Bool = false) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    self.init(status)
  }

  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    mode = status.st_mode
    owner = status.st_uid
    bytes = Int64(status.st_size)
    contentChanged = Self.nanoseconds(status.st_mtim)
    anythingChanged = Self.nanoseconds(status.st_ctim)
  }

  var isRegularFile: Bool { mode & S_IFMT == S_IFREG }
  var isDirectory: Bool { mode & S_IFMT == S_IFDIR }
  var permissions: mode_t { mode & 0o7777 }

  func isSameFile(as other: FileMark) -> Bool { device == other.device && inode == other.inode }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
  }
}

/// What the file of keys and its lock look like from outside.
struct CredentialStamp: Sendable, Equatable {
  var file: FileMark?
  var lock: FileMark?
}

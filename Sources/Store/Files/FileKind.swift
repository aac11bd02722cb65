import Glibc

/// What a path names, without following a symbolic link at its end.
struct FileKind: Equatable {
  var type: mode_t
  var permissions: mode_t
  var owner: uid_t
  var bytes: Int
  var inode: UInt64
  var device: UInt64

  var isDirectory: Bool { type == S_IFDIR }
  var isRegularFile: Bool { type == S_IFREG }
  var isSymbolicLink: Bool { type == S_IFLNK }
  /// True when others than the owner may do anything with it.
  var isShared: Bool { permissions & 0o077 != 0 }

  /// - Returns: nil when nothing is there.
  init?(path: String, followingLinks: Bool = false) throws(FileFailure) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else {
      if errno == ENOENT { return nil }
      throw FileFailure(operation: "look at", path: path, code: errno)
    }
    self.init(status)
  }

  /// What the open file `descriptor` is.
  init(descriptor: Int32, path: String) throws(FileFailure) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw FileFailure(operation: "look at", path: path, code: errno)
    }
    self.init(status)
  }

  private init(_ status: stat) {
    type = status.st_mode & S_IFMT
    permissions = status.st_mode & 0o7777
    owner = status.st_uid
    bytes = Int(status.st_size)
    inode = UInt64(status.st_ino)
    device = UInt64(status.st_dev)
  }
}

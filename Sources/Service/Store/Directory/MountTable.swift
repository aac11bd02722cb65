import Glibc

/// The mounted file systems, from /proc/self/mountinfo (proc(5)).
struct MountTable {
  struct Mount: Equatable {
    var point: String
    /// Such as `ext4`, `nfs4` or `fuse.sshfs`.
    var type: String
  }

  let mounts: [Mount]

  init(mountinfo: String) {
    mounts = mountinfo.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      guard fields.count > 5, let hyphen = fields.dropFirst(5).firstIndex(of: "-"), fields.indices.contains(hyphen + 1)
      else { return nil }
      return Mount(point: Self.unescaped(fields[4]), type: String(fields[hyphen + 1]))
    }
  }

  /// The table of this process; empty without /proc, when nothing is known.
  static func current() -> MountTable {
    MountTable(mountinfo: contents(of: "/proc/self/mountinfo") ?? "")
  }

  /// The mount that contains `path`, which must be free of symbolic links: the deepest, and of several the last, which
  /// covers the others.
  func mount(of path: String) -> Mount? {
    var found: Mount?
    for mount in mounts {
      let prefix = mount.point == "/" ? "/" : mount.point + "/"
      guard path == mount.point || path.hasPrefix(prefix) else { continue }
      if mount.point.utf8.count >= found?.point.utf8.count ?? 0 { found = mount }
    }
    return found
  }

  /// Decodes blanks and backslashes, which are written as a backslash and three octal digits.
  private static func unescaped(_ field: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = field.utf8[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8) {
        rest = rest.dropFirst(3)
        bytes.append(code)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Files under /proc report no length, so this reads until the end.
  private static func contents(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension MountTable.Mount {
  /// True for file systems on which SQLite's locks and shared memory do not hold between machines.
  var isRemote: Bool { Self.remoteTypes.contains(type) }

  private static let remoteTypes: Set<String> = [
    "nfs", "nfs3", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "coda", "9p", "ceph", "lustre", "gpfs", "ocfs2",
    "gfs2", "beegfs", "glusterfs", "davfs", "orangefs", "pvfs2", "acfs", "fuse.sshfs", "fuse.rclone", "fuse.s3fs",
    "fuse.gcsfuse", "fuse.glusterfs", "fuse.davfs", "fuse.davfs2", "fuse.curlftpfs", "fuse.goofys", "fuse.juicefs",
    "fuse.ceph", "fuse.ceph-fuse", "fuse.cephfs", "fuse.moosefs", "fuse.mfs", "fuse.blobfuse", "fuse.blobfuse2",
    "fuse.google-drive-ocamlfuse", "fuse.onedriver", "fuse.mount-s3", "fuse.smbnetfs", "fuse.gvfsd-fuse",
  ]
}

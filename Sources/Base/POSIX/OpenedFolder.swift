import Glibc

/// A folder while files are placed in it.
package final class OpenedFolder: Sendable {
  /// A path that leads to this very folder for as long as this object lives.
  package let path: String
  private let descriptor: Descriptor?

  /// The folder that `path` names whenever the path is used.
  package init(path: String) {
    self.path = path
    descriptor = nil
  }

  private init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
    path = "/proc/self/fd/\(descriptor.number)"
  }

  /// The folder that `path` names now.
  /// - Returns: nil if it is not beneath the allowed folders, or is no folder.
  package convenience init?(path: String, within folders: AllowedFolders) {
    guard let found = folders.open(path), let status = try? FileStatus(descriptor: found.number, path: path),
      status.isDirectory
    else { return nil }
    let copy = fcntl(found.number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return nil }
    self.init(Descriptor(copy))
  }

  /// A folder in this one, which no symbolic link may stand for.
  /// - Returns: nil if it is not there.
  package func folder(_ name: String) -> OpenedFolder? {
    let number = open("\(path)/\(name)", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else { return nil }
    guard descriptor == nil else { return OpenedFolder(Descriptor(number)) }
    close(number)
    return OpenedFolder(path: "\(path)/\(name)")
  }
}

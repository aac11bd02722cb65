import Glibc
import JSONRPC

/// The data directory, as far as keys are concerned: it may be needed before anything else has made it.
struct CredentialDirectory {
  let path: String

  var exists: Bool { FileMark(path, followingLinks: true) != nil }

  /// Makes the directory and what is missing on the way to it, for its owner alone, and checks that nobody else could
  /// put another file in the place of the keys.
  func prepare() throws(CredentialFailure) {
    do throws(CredentialFailure) { try makeAndCheck() } catch { throw error.aboutDirectory }
  }

  private func makeAndCheck() throws(CredentialFailure) {
    if !exists { try makeWithParents() }
    guard let mark = FileMark(path, followingLinks: true) else { throw .system("look at", path) }
    guard mark.isDirectory else { throw .file("\(path) is not a folder. Choose another one with --data-dir.") }
    guard mark.owner == geteuid() else {
      throw .file("\(path) belongs to another user (uid \(mark.owner)). Choose a folder of your own with --data-dir.")
    }
    guard mark.permissions & 0o022 == 0 else {
      throw .file(
        "Other users can put files into \(path), so keys are not kept there. "
          + "Close it with “chmod 700 \(ShellWord(path))”.")
    }
  }

  /// Makes the names in it survive a power failure.
  func sync() throws(CredentialFailure) { try Self.sync(path) }

  private func makeWithParents() throws(CredentialFailure) {
    var parent = ""
    for component in path.split(separator: "/") {
      let child = "\(parent)/\(component)"
      if mkdir(child, 0o700) == 0 {
        try Self.sync(parent.isEmpty ? "/" : parent)
      } else if errno != EEXIST {
        // On a read-only file system what is there already is not even looked at.
        let code = errno
        guard FileMark(child, followingLinks: true) != nil else {
          throw .system("create the folder", child, code: code)
        }
      }
      parent = child
    }
  }

  private static func sync(_ path: String) throws(CredentialFailure) {
    let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw .system("open the folder", path) }
    let folder = FileDescriptor(owning: number)
    // Some file systems cannot sync a folder and say EINVAL; there is nothing more one can do there.
    guard fsync(folder.number) == 0 || errno == EINVAL else { throw .system("sync the folder", path) }
  }
}

import Glibc
import POSIX

/// A file of a person that a command changes.
enum ChangedFile {
  /// Replaces the file at once, or makes it: nobody sees a half of it. A symbolic link stays and leads to the new file, and
  /// the rights stay as they are.
  /// - Parameter model: the file whose rights a new one gets; by default those that files get here.
  /// - Throws: `CommandFailure` when it cannot be written.
  static func replace(_ path: String, with bytes: [UInt8], rightsOf model: String? = nil) throws {
    // What does not exist leads nowhere.
    let target = (try? FileSystem.resolved(path)) ?? path
    do throws(FileFailure) {
      let permissions = try FileStatus(path: model ?? target, followingLinks: true)?.permissions
      try FileSystem.replace(
        target, with: bytes, temporary: "\(target).\(getpid()).new", permissions: permissions)
    } catch {
      throw CommandFailure(sentence: "\(path.onOneLine) cannot be written: \(error.reason).")
    }
  }
}

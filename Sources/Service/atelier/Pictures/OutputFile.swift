import AtelierProtocol
import Glibc
import POSIX

/// The file that `-o` names. What is there is replaced: its access rights stay, and so do the links that lead to it.
struct OutputFile: Sendable {
  let path: String

  /// Where its bytes are: behind the symbolic links, if the path is one.
  /// - Throws: `CommandFailure` for a link that leads nowhere.
  private func target() throws -> String {
    let (link, end): (FileStatus?, FileStatus?)
    do {
      (link, end) = (try FileStatus(path: path), try FileStatus(path: path, followingLinks: true))
    } catch {
      throw CommandFailure(sentence: "\(path) cannot be written: \(error.reason). Name another file.")
    }
    guard let link else { return path }
    guard let end else {
      throw CommandFailure(sentence: "\(path) is a symbolic link to a file that does not exist. Name another file.")
    }
    if link.isSameFile(as: end) { return path }
    do throws(FileFailure) {
      return try FileSystem.resolved(path)
    } catch {
      throw CommandFailure(
        sentence: error.code == EILSEQ
          ? "\(path) leads to a file whose name is not UTF-8 text. Name another file."
          : "\(path) cannot be written: \(error.reason). Name another file.")
    }
  }

  /// Finds out whether it can be written, besides whether its folder can.
  /// - Parameter photos: the files that it must not be.
  /// - Returns: the folder in which it is written.
  /// - Throws: `CommandFailure`, with what to do about it.
  func check(besides photos: [String]) throws -> String {
    let target = try target()
    let status: FileStatus?
    do {
      status = try FileStatus(path: target, followingLinks: true)
    } catch {
      throw CommandFailure(sentence: "\(path) cannot be written: \(error.reason). Name another file.")
    }
    guard let status else { return OutputName(target).folder }
    if status.isDirectory {
      throw CommandFailure(sentence: "\(path) is a folder. Name a file with -o, or the folder with --directory.")
    }
    guard status.isRegularFile else {
      throw CommandFailure(
        sentence: "\(path) is not a regular file. Name another one; -o - writes the picture to standard output.")
    }
    for photo in photos {
      if let photo = try? FileStatus(path: photo, followingLinks: true), photo.isSameFile(as: status) {
        throw CommandFailure(sentence: "\(path) is the photo itself, which would be lost. Name another file.")
      }
    }
    return OutputName(target).folder
  }

  /// What would be replaced; nil when nothing is there, or it cannot be read.
  func present() -> [UInt8]? { (try? target()).flatMap { try? FileSystem.read($0) } }

  /// Replaces the file.
  /// - Parameter temporary: the name of the file while it is written.
  /// - Throws: `AtelierError` or `CommandFailure`.
  func replace(with bytes: [UInt8], temporary: String) throws {
    let target = try target()
    do throws(FileFailure) {
      let rights = try FileStatus(path: target, followingLinks: true).map { $0.permissions & 0o777 }
      try FileSystem.replace(
        target, with: bytes, temporary: "\(OutputName(target).folder)/\(temporary)", permissions: rights)
    } catch {
      throw error.isStorageFull
        ? AtelierError(.storageFull)
        : AtelierError(.fileAccessDenied, "\(path) cannot be written: \(error.reason).")
    }
  }
}

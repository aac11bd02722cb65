import Glibc
import POSIX
import Synchronization

/// Files of a bucket that were made or read on this machine, as `ab/cd/<sha256>.<ext>` below a folder. All functions block.
///
/// Anything in it may go at any time. What is read from it is compared with the digest in its name, so it can be no other
/// file, whoever has written it.
final class ArtifactCache: Sendable {
  let folder: String
  /// So many bytes stay; 0 keeps none.
  let mostBytes: Int
  /// The path of a new draft, on the same disk: in the folder of this process's temporary files, which are removed when it
  /// is dead.
  private let draft: @Sendable () -> String
  /// The bytes kept since the folder was last looked through.
  private let added: Atomic<Int>

  init(folder: String, mostBytes: Int, draft: @escaping @Sendable () -> String) {
    (self.folder, self.mostBytes, self.draft) = (folder, max(0, mostBytes), draft)
    // What there is from earlier is unknown.
    added = Atomic(max(0, mostBytes))
  }

  func path(of name: String) -> String { "\(folder)/\(S3Files.key(name))" }

  /// Whether a file is there for others to read. What is named here was compared with its digest before.
  /// - Parameter bytes: the size of what was stored.
  func has(_ name: String, bytes: Int) -> Bool {
    guard mostBytes > 0, let status = try? FileStatus(path: path(of: name)) else { return false }
    return status.isRegularFile && status.bytes == bytes
  }

  /// - Returns: nil when it is not there, or not what its name says.
  func bytes(of name: String) throws -> [UInt8]? {
    let path = path(of: name)
    guard DataDirectory.isArtifactName(name), try FileStatus(path: path)?.isRegularFile == true else { return nil }
    let bytes = try FileSystem.read(path)
    guard StoredArtifact.digest(bytes) == name.prefix(64) else {
      try FileSystem.remove(path)
      return nil
    }
    // The time of its last use; without it, it goes a little earlier.
    _ = utimensat(AT_FDCWD, path, nil, 0)
    return bytes
  }

  /// Keeps a file, and makes room for it.
  /// - Returns: whether it is there.
  @discardableResult
  func keep(_ bytes: [UInt8], as name: String) throws -> Bool {
    guard bytes.count <= mostBytes / 2, DataDirectory.isArtifactName(name) else { return false }
    let path = path(of: name)
    // What is damaged there goes, and is kept anew.
    if try self.bytes(of: name) != nil { return true }
    let second = "\(folder)/\(name.prefix(2))/\(name.dropFirst(2).prefix(2))"
    try FileSystem.makeDirectories(folder)
    _ = try FileSystem.makeDirectory("\(folder)/\(name.prefix(2))")
    _ = try FileSystem.makeDirectory(second)
    let draft = draft()
    try FileSystem.writeNew(bytes, to: draft)
    guard rename(draft, path) == 0 else {
      let failure = FileFailure(operation: "name", path: path, code: errno)
      try FileSystem.remove(draft)
      throw failure
    }
    if added.add(bytes.count, ordering: .relaxed).newValue > mostBytes / 10 { try makeRoom() }
    return true
  }

  func remove(_ name: String) throws {
    if DataDirectory.isArtifactName(name) { try FileSystem.remove(path(of: name)) }
  }

  /// The names of all files.
  func names() throws -> [String] { try files().map(\.name) }

  /// Removes what was not used for the longest time, until a tenth is free.
  private func makeRoom() throws {
    added.store(0, ordering: .relaxed)
    var files = try files().sorted { $0.used > $1.used }
    var bytes = files.reduce(0) { $0 + $1.bytes }
    while bytes > mostBytes - mostBytes / 10, let oldest = files.popLast() {
      try FileSystem.remove(path(of: oldest.name))
      bytes -= oldest.bytes
    }
  }

  private func files() throws -> [(name: String, bytes: Int, used: Int64)] {
    guard try FileStatus(path: folder) != nil else { return [] }
    var files: [(name: String, bytes: Int, used: Int64)] = []
    for first in try FileSystem.names(in: folder) where first.utf8.count == 2 {
      for second in try FileSystem.names(in: "\(folder)/\(first)") where second.utf8.count == 2 {
        for name in try FileSystem.names(in: "\(folder)/\(first)/\(second)") where DataDirectory.isArtifactName(name) {
          // Another process may remove it meanwhile.
          guard let status = try FileStatus(path: path(of: name)) else { continue }
          files.append((name: name, bytes: status.bytes, used: status.contentChanged))
        }
      }
    }
    return files
  }
}

import Glibc
import Support
import Testing

@testable import POSIX

@Suite("The status of a file")
struct FileStatusTests {
  @Test("the status of a file stays the same while nothing changes, and differs after a change of content or of rights")
  func changes() throws {
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/file"
    try FileSystem.writeDurably([1], to: path)
    let first = try #require(try FileStatus(path: path))
    #expect(try FileStatus(path: path) == first && first.permissions == 0o600 && first.bytes == 1)
    #expect(chmod(path, 0o644) == 0)
    let opened = try #require(try FileStatus(path: path))
    #expect(opened != first && opened.isShared && opened.isSameFile(as: first))
    try FileSystem.replace(path, with: [1], temporary: "\(path).new", permissions: 0o644)
    let replaced = try #require(try FileStatus(path: path))
    #expect(replaced != opened && !replaced.isSameFile(as: opened))
    #expect(try FileStatus(path: "\(path).new") == nil)
  }

  @Test("the status of a new file has exactly the permissions wanted, whatever the umask takes away")
  func permissions() async throws {
    let folder = try TemporaryDirectory()
    let path = "\(folder.path)/exact"
    try await underUmask(0o277) { try FileSystem.writeDurably([], to: path, permissions: 0o600) }
    #expect(try FileStatus(path: path)?.permissions == 0o600)
  }

  @Test("the status of a missing file is none; a file in the place of a folder is a failure")
  func missing() throws {
    let folder = try TemporaryDirectory()
    #expect(try FileStatus(path: "\(folder.path)/missing") == nil)
    try FileSystem.makeDirectories("\(folder.path)/a/b/c")
    #expect(try FileStatus(path: "\(folder.path)/a/b/c")?.permissions == 0o700)
    try FileSystem.writeDurably([1], to: "\(folder.path)/file")
    #expect(throws: FileFailure.self) { try FileSystem.makeDirectories("\(folder.path)/file/child") }
  }
}

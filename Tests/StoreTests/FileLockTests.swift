import Glibc
import POSIX
import Support
import Testing

@testable import Store

@Suite("File locks")
struct FileLockTests {
  let temporary: TemporaryDirectory
  let path: String
  init() throws {
    temporary = try TemporaryDirectory()
    path = "\(temporary.path)/a.lock"
  }

  @Test("file locks are held by one, until it lets go")
  func exclusive() throws {
    var lock = try FileLock(path: path, creating: true)
    #expect(lock != nil)
    #expect(try FileLock(path: path, creating: true) == nil)
    #expect(lock?.path == path)
    lock = nil
    #expect(try FileLock(path: path, creating: false) != nil)
  }

  @Test("file locks are not made unless asked for")
  func missing() throws {
    #expect(try FileLock(path: path, creating: false) == nil)
    #expect(!FileStatus.exists(path))
  }

  @Test("a lock on a file that was removed or replaced meanwhile is worth nothing", arguments: [false, true])
  func replaced(isReplaced: Bool) throws {
    try write([], to: path)
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    #expect(descriptor >= 0)
    defer { close(descriptor) }
    #expect(unlink(path) == 0)
    if isReplaced { try write([], to: path) }
    #expect(try FileLock.lock(descriptor, path: path) == false)
  }

  @Test("file locks never follow a symbolic link")
  func symbolicLink() throws {
    try write([], to: "\(temporary.path)/target")
    #expect(symlink("\(temporary.path)/target", path) == 0)
    #expect(throws: FileFailure.self) { try FileLock(path: path, creating: true) }
  }
}

import Glibc
import POSIX
import Support
import Testing

@testable import Store

@Suite("Syncing folders")
struct FolderSyncTests {
  let temporary: TemporaryDirectory
  let folders: FolderSync
  init() throws {
    temporary = try TemporaryDirectory()
    folders = FolderSync(pool: try ThreadPool(width: 4))
  }

  @Test("syncing folders fails when one of them cannot be synced, and forgets what was noted", arguments: [0, 1, 20])
  func failure(others: Int) throws {
    for number in 0..<others { try folders.make("\(temporary.path)/\(number)", in: temporary.path) }
    for number in 0..<others { folders.add("\(temporary.path)/\(number)") }
    try folders.sync()
    folders.add("\(temporary.path)/gone")
    for number in 0..<others { folders.add("\(temporary.path)/\(number)") }
    let failure = #expect(throws: FileFailure.self) { try folders.sync() }
    #expect(failure?.code == ENOENT && failure?.path == "\(temporary.path)/gone")
    try folders.sync()
  }

  @Test("a folder made where syncing failed is not taken for durable because it is there")
  func madeBefore() throws {
    let parent = "\(temporary.path)/parent"
    #expect(mkdir(parent, 0o700) == 0)
    try folders.make("\(parent)/child", in: parent)
    // The parent cannot be synced while it is away.
    #expect(rename(parent, "\(temporary.path)/away") == 0)
    #expect(throws: FileFailure.self) { try folders.sync() }
    #expect(rename("\(temporary.path)/away", parent) == 0)
    try folders.make("\(parent)/child", in: parent)
    #expect(rename(parent, "\(temporary.path)/away") == 0)
    #expect(throws: FileFailure.self) { try folders.sync() }
    #expect(rename("\(temporary.path)/away", parent) == 0)
    try folders.make("\(parent)/child", in: parent)
    try folders.sync()
    // Durable now, so making it again asks for nothing.
    try folders.make("\(parent)/child", in: parent)
    #expect(rename(parent, "\(temporary.path)/away") == 0)
    try folders.sync()
  }
}

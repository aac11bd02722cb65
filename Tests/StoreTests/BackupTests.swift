import AtelierProtocol
import GRDB
import Glibc
import POSIX
import Testing

@testable import Store

@Suite("A backup")
struct BackupTests {
  let house: StoreFixture
  let target: String
  init() throws {
    house = try StoreFixture()
    target = "\(house.temporary.path)/backup.sqlite"
  }

  private func names() throws -> [String] { try FileSystem.names(in: house.temporary.path) }

  @Test("put as the database of a new data directory holds history and balances")
  func restore() async throws {
    let store = try await house.open()
    try await LedgerScene.fill(store, of: house)
    let history = try await store.history(HistoryFilter(), limit: 100)
    let ledger = try await store.creditHistory(of: "anna0", limit: 100, cursor: nil)
    let balance = try await store.creditBalance(of: "bert0")
    let bytes = try await store.backup(to: target)
    #expect(permissions(of: target) == 0o600)
    #expect(try contents(of: target).count == bytes && bytes > 0)
    // What comes later is not in it.
    _ = try await store.grantCredits(7, to: "bert0", because: "later")
    await store.close()

    let other = DataDirectory(path: "\(house.temporary.path)/other")
    #expect(mkdir(other.path, 0o700) == 0)
    #expect(rename(target, other.database) == 0)
    let restored = try await Store.open(directory: other, surroundings: house.surroundings)
    #expect(try await restored.auditLedger() == [])
    #expect(try await restored.creditHistory(of: "anna0", limit: 100, cursor: nil) == ledger)
    #expect(try await restored.creditBalance(of: "bert0") == balance)
    // The pictures lie in a folder of their own.
    #expect(try await restored.check().findings.allSatisfy { $0.kind == .missingFile })
    #expect(rename(house.directory.artifacts, "\(other.path)/with") == 0)
    #expect(rmdir(other.artifacts) == 0)
    #expect(rename("\(other.path)/with", other.artifacts) == 0)
    #expect(try await restored.check().findings == [])
    #expect(try await restored.history(HistoryFilter(), limit: 100).totals == history.totals)
    await restored.close()
  }

  @Test("replaces nothing: not a file, nor a link that leads nowhere")
  func existing() async throws {
    let store = try await house.open()
    try write([1, 2, 3], to: target)
    for isLink in [false, true] {
      if isLink {
        #expect(unlink(target) == 0)
        #expect(symlink("/nowhere/at/all", target) == 0)
      }
      let error = await #expect(throws: AtelierError.self) { try await store.backup(to: target) }
      #expect(error?.kind == .fileAccessDenied && error?.message.contains(target) == true)
      if !isLink { #expect(try contents(of: target) == [1, 2, 3]) }
    }
    #expect(try names() == ["backup.sqlite", "data"])
  }

  @Test("into a folder that is not there says so")
  func noFolder() async throws {
    let store = try await house.open()
    let error = await #expect(throws: AtelierError.self) { try await store.backup(to: "\(target)/x/y") }
    #expect(error?.kind == .fileAccessDenied && error?.message.contains("No such file") == true)
  }

  @Test("is one moment of the database, while others write")
  func meanwhile() async throws {
    let (store, other) = (try await house.open(), try await house.open())
    try await LedgerScene.fill(store, of: house, households: 1)
    let writing = Task {
      for number in 0..<60 {
        _ = try await other.grantCredits(1, to: "dora", because: "a drop", source: "drop \(number)")
      }
    }
    for number in 0..<4 {
      let copy = DataDirectory(path: "\(house.temporary.path)/copy\(number)")
      #expect(mkdir(copy.path, 0o700) == 0)
      try await store.backup(to: copy.database)
      let restored = try await Store.open(directory: copy, surroundings: house.surroundings)
      #expect(try await restored.auditLedger() == [])
      await restored.close()
    }
    try await writing.value
    #expect(try await store.creditBalance(of: "dora").available == 61)
  }

  @Test("onto a full disk says so, and leaves nothing", .enabled(if: Mount.isPermitted, "mounting is not permitted here"))
  func fullDisk() async throws {
    let mount = try #require(try Mount(bytes: 65_536))
    let store = try await house.open()
    let error = await #expect(throws: AtelierError.self) { try await store.backup(to: "\(mount.path)/backup") }
    #expect(error?.kind == .storageFull && error?.message.contains(mount.path) == true, "\(error?.message ?? "")")
    #expect(try FileSystem.names(in: mount.path) == [])
    #expect(try await store.backup(to: target) > 0)
  }

  @Test("onto a read-only disk says so", .enabled(if: Mount.isPermitted, "mounting is not permitted here"))
  func readOnlyDisk() async throws {
    let mount = try #require(try Mount(bytes: 4_194_304))
    try await mount.makeReadOnly()
    let store = try await house.open()
    let error = await #expect(throws: AtelierError.self) { try await store.backup(to: "\(mount.path)/backup") }
    #expect(error?.kind == .fileAccessDenied && error?.message.contains("Read-only") == true, "\(error?.message ?? "")")
  }

  @Test("is refused by a store that is closed")
  func closed() async throws {
    let store = try await house.open()
    await store.close()
    await #expect(throws: AtelierError.storeClosed) { try await store.backup(to: target) }
    #expect(try names() == ["data"])
  }
}

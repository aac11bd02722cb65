import AtelierProtocol
import Foundation
import GRDB
import Glibc
import POSIX
import Testing

@testable import Store

@Suite("A log beside a database that is not its own", .onlySQLite)
struct LogOriginTests {
  let fixture: StoreFixture
  let path: String
  init() throws {
    fixture = try StoreFixture()
    path = fixture.directory.path
  }

  /// A process that was killed: its log stays behind. In this process that is a store that is never closed.
  private func killed(_ work: (Store) async throws -> Void) async throws {
    let store = try await fixture.open()
    try await work(store)
    _ = Unmanaged.passRetained(store)
  }

  private func give(_ number: Int, to store: Store) async throws {
    _ = try await store.grantCredits(1, to: "anna", because: "a gift", source: "gift \(number)")
  }

  enum Copy: CaseIterable {
    /// A copy of an earlier moment, as SQLite makes one.
    case backup
    /// The bare file of an earlier moment.
    case bareFile
    /// The database of another directory.
    case other
  }

  @Test(
    "a log that is not the database's own is told with its cure, and nothing is changed; the cure helps",
    arguments: Copy.allCases)
  func moved(copy: Copy) async throws {
    let saved = "\(fixture.temporary.path)/saved"
    try await killed { store in
      for number in 0..<3 { try await give(number, to: store) }
      switch copy {
      case .backup: _ = try await store.withWriter { try $0.execute(sql: "VACUUM INTO ?", arguments: [saved]) }
      case .bareFile:
        _ = try await store.withWriter { try $0.checkpoint(.full) }
        try write(contents(of: fixture.directory.database), to: saved)
      case .other:
        let elsewhere = DataDirectory(path: "\(fixture.temporary.path)/elsewhere")
        let other = try await Store.open(directory: elsewhere, surroundings: fixture.surroundings)
        for number in 0..<3 { try await give(number, to: other) }
        await other.close()
        try write(contents(of: elsewhere.database), to: saved)
      }
      for number in 3..<30 { try await give(number, to: store) }
    }
    #expect(rename(saved, fixture.directory.database) == 0)
    let before = try contents(of: fixture.directory.database)
    let error = await #expect(throws: StoreError.self) { try await fixture.open() }
    #expect(error?.kind == .strayLog, "\(error?.sentence ?? "opened")")
    #expect(error?.sentence.contains("mv ") == true && error?.sentence.contains("atelier.sqlite-wal") == true)
    #expect(try contents(of: fixture.directory.database) == before)

    for file in fixture.directory.sharedLogs {
      #expect(rename(file, "\(fixture.temporary.path)/away\(file.suffix(4))") == 0)
    }
    let store = try await fixture.open()
    #expect(try await store.creditBalance(of: "anna").available == 4)
    #expect(try await store.auditLedger() == [])
    await store.close()
  }

  @Test("a log is the database's own after a kill, whatever was copied into the database before", arguments: [0, 1, 3, 300])
  func ownLog(gifts: Int) async throws {
    try await killed { store in
      for number in 0..<gifts { try await give(number, to: store) }
      if gifts == 3 {
        // By another process, so that this one cannot have noted it.
        let other = try DatabaseQueue(path: fixture.directory.database)
        _ = try await other.writeWithoutTransaction { try $0.checkpoint(.full) }
        _ = Unmanaged.passRetained(other)
      }
    }
    utimes(fixture.directory.database, nil)
    let store = try await fixture.open()
    if gifts > 0 { #expect(try await store.creditBalance(of: "anna").available == gifts + 1) }
    #expect(try await store.auditLedger() == [])
    await store.close()
  }

  @Test("a copy of the whole directory is taken as it is")
  func wholeCopy() async throws {
    try await killed { for number in 0..<3 { try await give(number, to: $0) } }
    let copy = DataDirectory(path: "\(fixture.temporary.path)/copy")
    try FileManager.default.copyItem(atPath: path, toPath: copy.path)
    utimes(copy.database, nil)
    let store = try await Store.open(directory: copy, surroundings: fixture.surroundings)
    #expect(try await store.creditBalance(of: "anna").available == 4)
    await store.close()
  }

  @Test("a note that is damaged decides nothing", arguments: ["", "{}", "[1", "{\"database\":{\"device\":-1}}"])
  func damagedNote(text: String) async throws {
    try await killed { try await give(1, to: $0) }
    try write(Array(text.utf8), to: fixture.directory.logOrigin)
    let store = try await fixture.open()
    #expect(try await store.creditBalance(of: "anna").available == 2)
    await store.close()
  }

  @Test("a bare copy of the database beside all pictures is no sound directory")
  func bareCopy() async throws {
    let copy = DataDirectory(path: "\(fixture.temporary.path)/copy")
    try await killed { store in
      for number in 0..<3 as Range<UInt8> {
        try await store.succeed(try await store.begin(fixture.acceptance()), with: [number])
      }
    }
    mkdir(copy.path, 0o700)
    try FileManager.default.copyItem(atPath: fixture.directory.database, toPath: copy.database)
    try FileManager.default.copyItem(atPath: fixture.directory.artifacts, toPath: copy.artifacts)
    let store = try await Store.open(directory: copy, surroundings: fixture.surroundings)
    let report = try await store.check()
    #expect(!report.isSound)
    let lost = report.findings.filter { $0.kind == .lostRecords }
    #expect(lost.count == 1 && lost.first?.sentence.hasPrefix("3 of the pictures") == true, "\(report.findings)")
    await store.close()
  }
}

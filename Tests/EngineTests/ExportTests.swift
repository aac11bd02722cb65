import AtelierProtocol
import Foundation
import JSON
import Store
import ServiceFixture
import Testing

@testable import Engine

@Suite("Exporting history", .timeLimit(.minutes(2)))
struct ExportTests {
  let fixture: ServiceFixture
  let engine: TestEngine
  let directory: String

  init() throws {
    fixture = try ServiceFixture()
    engine = try fixture.engine([ScriptedProvider()])
    directory = "\(fixture.temporary.path)/export"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
  }

  private func fill() async throws {
    for (account, isPrivate) in [(nil, false), ("anna/1", false), (nil, true), (nil, false)] as [(AccountID?, Bool)] {
      _ = try await engine.generations.generate(
        .picture("a\nlighthouse", inline: true, account: account, private: isPrivate), for: Caller())
    }
    await engine.generations.finishThumbnails()
  }

  private func export(_ account: AccountID? = nil, for caller: Caller = Caller()) async throws -> HistoryExport.Result {
    try await engine.engine.exportHistory(HistoryExport(directory: directory, account: account), for: caller)
  }

  private func lines(of path: String) throws -> [Generation] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
      try JSONValueDecoder(unknownMembers: .reject)
        .decode(Generation.self, from: JSONValue(parsing: Array(line.utf8)))
    }
  }

  @Test("an export writes a record a line, newest first, and the pictures they name beside them")
  func whole() async throws {
    try await fill()
    let result = try await export()
    #expect(result.path == "\(directory)/atelier-history-owner.jsonl" && result.entries == 3)
    let entries = try lines(of: result.path)
    #expect(entries.map(\.generationId) == ["gen_4", "gen_3", "gen_1"])
    try #require(entries.map(\.prompt) == ["a\nlighthouse", nil, "a\nlighthouse"])
    #expect(entries[1].images.allSatisfy { $0.path == nil } && entries[1].thumbnail == nil)
    let store = try await engine.engine.lazyStore.store()
    for entry in [entries[0], entries[2]] {
      let row = try #require(try await store.generation(entry.generationId, account: nil))
      let bytes = try Data(contentsOf: URL(filePath: "\(directory)/\(try #require(entry.images.first?.path))"))
      #expect([UInt8](bytes) == (try await store.read(try #require(row.images.first?.artifact))))
    }
    #expect(result.files == 2 + entries.compactMap(\.thumbnail).count)
    let all = try await export("*")
    #expect(all.path == "\(directory)/atelier-history.jsonl" && all.entries == 4)
    #expect(try await export("anna/1").path == "\(directory)/atelier-history-anna%2f1.jsonl")
    #expect(try await export("nobody").entries == 0)
    await engine.leave()
  }

  @Test("an export goes on where it was broken off, and writes no picture twice")
  func again() async throws {
    try await fill()
    let first = try await export()
    let records = try Data(contentsOf: URL(filePath: first.path))
    let pictures = fixture.temporary.files(below: "export/atelier-pictures")
    let kept = try #require(pictures.first)
    let number = try inode("\(directory)/atelier-pictures/\(kept)")
    for picture in pictures.dropFirst() {
      try FileManager.default.removeItem(atPath: "\(directory)/atelier-pictures/\(picture)")
    }
    try Data("half of a line".utf8).write(to: URL(filePath: "\(directory)/.atelier-history-owner.jsonl.partial"))
    #expect(try await export() == first)
    #expect(try Data(contentsOf: URL(filePath: first.path)) == records)
    #expect(fixture.temporary.files(below: "export/atelier-pictures") == pictures)
    #expect(try inode("\(directory)/atelier-pictures/\(kept)") == number)
    #expect(fixture.temporary.files(below: "export").filter { $0.hasSuffix(".partial") }.isEmpty)
    await engine.leave()
  }

  private func inode(_ path: String) throws -> UInt64? {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64
  }

  enum Obstacle: CaseIterable { case noFolder, file, records, picture, link, readOnly }

  @Test("an export overwrites nothing that is not its own, and says what is in its way", arguments: Obstacle.allCases)
  func obstacles(obstacle: Obstacle) async throws {
    try await fill()
    let words = Data("somebody's own words\n".utf8)
    let records = URL(filePath: "\(directory)/atelier-history-owner.jsonl")
    var theirs: URL?
    switch obstacle {
    case .noFolder: try FileManager.default.removeItem(atPath: directory)
    case .file: theirs = URL(filePath: "\(directory)/atelier-pictures")
    case .records: theirs = records
    case .picture:
      let name = try #require(try await engine.row("gen_1")?.images.first?.artifact?.name)
      try FileManager.default.createDirectory(
        atPath: "\(directory)/atelier-pictures", withIntermediateDirectories: false)
      theirs = URL(filePath: "\(directory)/atelier-pictures/\(name)")
    case .link:
      let target = URL(filePath: "\(fixture.temporary.path)/elsewhere")
      theirs = target
      try FileManager.default.createSymbolicLink(at: records, withDestinationURL: target)
    case .readOnly:
      // Whoever runs as root may write anywhere.
      if geteuid() == 0 { return }
      try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory)
    }
    if let theirs { try words.write(to: theirs) }
    let error = await #expect(throws: AtelierError.self) { try await export() }
    #expect(error?.kind == .fileAccessDenied)
    if let theirs { #expect(try Data(contentsOf: theirs) == words) }
    #expect(fixture.temporary.files(below: "export").filter { $0.hasSuffix(".partial") }.isEmpty)
    try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory)
    await engine.leave()
  }

  @Test("an export leaves nothing half when it is cancelled, and another account's is refused")
  func cancelled() async throws {
    try await fill()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await export()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!FileManager.default.fileExists(atPath: "\(directory)/atelier-history-owner.jsonl"))
    #expect(fixture.temporary.files(below: "export").filter { $0.hasSuffix(".partial") }.isEmpty)
    for account in ["bert", "*"] as [AccountID] {
      let error = await #expect(throws: AtelierError.self) {
        try await export(account, for: Caller(confinedTo: "anna/1"))
      }
      #expect(error?.kind == .permissionDenied)
    }
    await engine.leave()
  }

  @Test("an entry whose picture was altered or lost meanwhile is written without it")
  func altered() async throws {
    try await fill()
    let path = try #require(try await engine.row("gen_1")?.images.first?.artifact?.path)
    try Data("something else".utf8).write(to: URL(filePath: path))
    let result = try await export()
    #expect(result.entries == 3)
    #expect(try lines(of: result.path).allSatisfy { $0.images.allSatisfy { $0.path == nil } })
    await engine.leave()
  }
}

import AtelierProtocol
import Foundation
import GRDB
import Glibc
import ServiceFixture
import Store
import Synchronization
import Testing

@testable import Engine

/// The machine fails while a provider works, in ways other than a full disk.
@Suite("Pictures that were paid for while the data directory fails", .timeLimit(.minutes(3)))
struct StorageTests {
  /// What fails, and how it is mended.
  struct Failure: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var begin: @Sendable (_ data: String) throws -> Void
    var end: @Sendable (_ data: String) throws -> Void
  }

  private static func move(_ from: String, _ to: String) throws {
    try FileManager.default.moveItem(atPath: from, toPath: to)
  }

  private static func block(_ path: String) throws {
    try move(path, path + ".old")
    try Data().write(to: URL(fileURLWithPath: path))
  }

  private static func unblock(_ path: String) throws {
    try FileManager.default.removeItem(atPath: path)
    try move(path + ".old", path)
  }

  static let failures: [Failure] = [
    Failure(
      testDescription: "the data folder is moved away", begin: { try move($0, $0 + ".old") },
      end: { try move($0 + ".old", $0) }),
    Failure(
      testDescription: "the database is moved away",
      begin: { try move("\($0)/atelier.sqlite", "\($0)/aside") }, end: { try move("\($0)/aside", "\($0)/atelier.sqlite") }),
    Failure(
      testDescription: "the folder of the pictures is moved away",
      begin: { try move("\($0)/artifacts", "\($0)/aside") }, end: { try move("\($0)/aside", "\($0)/artifacts") }),
    Failure(
      testDescription: "a file is where temporary files were", begin: { try block("\($0)/temporary") },
      end: { try unblock("\($0)/temporary") }),
    Failure(
      testDescription: "a file is where the pictures were", begin: { try block("\($0)/artifacts") },
      end: { try unblock("\($0)/artifacts") }),
  ]

  @Test(
    "paid pictures are kept and delivered once the data directory is mended; meanwhile nobody else is asked",
    arguments: failures)
  func kept(failure: Failure) async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let provider = ScriptedProvider(maximumConcurrentImages: 1, creditsPerImage: 1, waitingAt: gate)
    let engine = try fixture.engine([provider])
    try await engine.give(3, to: "anna")
    let before = try await engine.credits(of: "anna")
    let first = engine.generate(.picture("one", key: "one", account: "anna"))
    await gate.hasSeen()
    // Accepted before; it waits for the slot.
    let second = engine.generate(.picture("two", account: "bert", detach: true))
    _ = try await second.value
    try failure.begin(fixture.directory.path)
    gate.open()
    await fixture.clock.someoneSleeps(for: engine.engine.parts.heartbeatInterval)
    for prompt in ["three", "four"] {
      let refused = await #expect(throws: AtelierError.self) {
        try await engine.generations.generate(.picture(prompt, account: "carl"), for: Caller())
      }
      #expect(refused?.kind == .storageUnavailable, "\(refused.map { "\($0)" } ?? "accepted")")
      #expect(refused?.message.contains(fixture.directory.path) == false)
    }
    guard case .service(let status) = try await engine.engine.status(Status(), for: Caller()) else { return }
    #expect(!status.store.healthy && status.store.problem != nil)
    #expect(provider.requests.count == 1)

    try failure.end(fixture.directory.path)
    try await fixture.heartbeats { try await engine.row("gen_1")?.state == .succeeded }
    let result = try #require(try await first.value.result)
    #expect(result.images.count == 1 && result.credits.charged == 1)
    #expect(try await engine.credits(of: "anna") == [before[0] - 1, 0])
    try await fixture.heartbeats { try await engine.row("gen_2")?.state == .succeeded }
    #expect(provider.requests.count == 2)
    guard case .service(let healthy) = try await engine.engine.status(Status(), for: Caller()) else { return }
    #expect(healthy.store.healthy && healthy.store.problem == nil)
    #expect(try await engine.engine.lazyStore.store().check().findings.map(\.sentence) == [])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("paid pictures are staged again when temporary files are removed between staging and recording")
  func lostTemporaryFiles() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let engine = try fixture.engine([ScriptedProvider(creditsPerImage: 1, waitingAt: gate)])
    try await engine.give(1, to: "anna")
    let task = engine.generate(.picture(account: "anna"))
    await gate.hasSeen()
    // The pictures are staged, and their record has to wait.
    let lock = try await WriteLock(fixture.directory)
    gate.open()
    try await until { await engine.generations.ends.isKept("gen_1") }
    let folder = "\(fixture.directory.path)/temporary"
    #expect(!fixture.temporary.files(below: "data/temporary").isEmpty)
    try FileManager.default.removeItem(atPath: folder)
    try await lock.release()
    try await fixture.heartbeats { try await engine.row("gen_1")?.state == .succeeded }
    #expect(try await task.value.result?.images.count == 1)
    #expect(try await engine.engine.lazyStore.store().check().findings.map(\.sentence) == [])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("paid pictures that nobody could record are handed over when the process leaves, and may have been charged")
  func leaving() async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let provider = ScriptedProvider(isLocal: false, creditsPerImage: 1) { _, _ in
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    let engine = try fixture.engine([provider])
    let task = engine.generate(.picture(key: "k"))
    await gate.hasSeen()
    let lock = try await WriteLock(fixture.directory)
    gate.open()
    try await until { await engine.generations.ends.isKept("gen_1") }
    await engine.generations.ends.giveUp("gen_1", as: .failed)
    let handedOver = try await task.value
    #expect(handedOver.handsOver && handedOver.images.first?.data != nil)
    #expect(handedOver.error?.data.kind == "overloaded")
    #expect(handedOver.error?.data.details["mayHaveBeenCharged"] == true)
    try await lock.release()
    await engine.leave()
  }
}

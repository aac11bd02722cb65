import AtelierProtocol
import Foundation
import GRDB
import Providers
import ServiceFixture
import Store
import Support
import Testing

@testable import Engine

@Suite("Paid pictures that the store will never keep", .timeLimit(.minutes(3)))
struct UnkeptTests {
  /// Who waits for the end.
  enum Waiter: CaseIterable, Sendable {
    case request, repeatedKey, watch, detached
  }

  /// Why the pictures are not kept.
  enum Obstacle: CaseIterable, Sendable {
    /// The database is damaged.
    case damage
    /// The database refuses for a reason that says nothing of the disk.
    case refusal
    /// The disk is full until the process leaves.
    case leaving
    /// The disk is full for an hour.
    case hour
    /// Others wait for the disk already, and the memory for them is used up.
    case memory

    var code: ResultCode {
      switch self {
      case .damage: .SQLITE_CORRUPT
      case .refusal: .SQLITE_ERROR
      case .leaving, .hour, .memory: .SQLITE_FULL
      }
    }
  }

  private static let cases: [(Obstacle, Waiter)] = Obstacle.allCases.flatMap { obstacle in
    // Nobody is at the other end of a detached request for certain: it waits for longer.
    Waiter.allCases.filter { obstacle != .hour || $0 != .detached }.map { (obstacle, $0) }
  }

  @Test("pictures that are paid for are handed over with the answer, and nothing is charged", arguments: cases)
  func handedOver(obstacle: Obstacle, waiter: Waiter) async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let provider = ScriptedProvider(isLocal: false, creditsPerImage: 1) { _, _ in
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    var configuration = EngineConfiguration.withoutRetries
    if obstacle == .memory { configuration.maximumKeptBytes = 1 }
    let engine = try fixture.engine([provider], configuration: configuration)
    try await engine.give(3, to: "anna")
    let before = try await engine.credits(of: "anna")
    let folder = fixture.temporary.path("pictures")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    var request = Generate.picture(
      directory: folder, key: "k", account: "anna", detach: waiter == .detached, timeoutMs: 7_200_000)
    request.output?.count = 2
    let first = engine.generate(request)
    // Before a picture is asked for, that is recorded, which must have succeeded for both.
    try await until { provider.requests.count == 2 }
    let answers: [Task<Generation, any Error>]
    switch waiter {
    case .request, .detached: answers = [first]
    case .repeatedKey: answers = [first, engine.generate(request)]
    case .watch:
      let watch = GenerationWatch(generationId: "gen_1")
      answers = [first, Task { try await engine.generations.watch(watch, for: Caller()) }]
    }
    if answers.count == 2 { try await until { await engine.generations.waiterCount(of: "gen_1") == 2 } }
    let writes = try await engine.failingWrites()
    writes.begin(obstacle.code)
    gate.open()
    if obstacle == .leaving || obstacle == .hour {
      try await until { await engine.generations.ends.isKept("gen_1") }
      if obstacle == .leaving { await engine.generations.ends.leave() }
    }
    let clock = Task {
      while obstacle == .hour, !Task.isCancelled {
        fixture.clock.advance(by: .seconds(600))
        for _ in 0..<1_000 { await Task.yield() }
      }
    }
    var received: [Generation] = []
    if waiter == .detached {
      await engine.announcements.meet { all in !all.finished.isEmpty }
      received = engine.announcements.all.finished
    } else {
      for answer in answers { received.append(try await answer.value) }
    }
    let bytes = Data(try ScriptedProvider.picture().bytes)
    for generation in received {
      #expect(generation.state == .failed && generation.handsOver)
      #expect(generation.images.map(\.index) == [0, 1])
      for image in generation.images {
        #expect(image.data.flatMap { Data(base64Encoded: $0) } == bytes)
        #expect(image.sha256 == generation.images.first?.sha256 && image.bytes == bytes.count)
        // The copy in the host's folder, if there was time for it; never a file of the store's own.
        let copy = try #require(image.path)
        #expect(copy.hasPrefix(folder) && image.storedPath == nil)
        #expect(try Data(contentsOf: URL(filePath: copy)) == bytes)
      }
      #expect(generation.warnings.contains { $0.kind == "not_stored" })
      #expect(generation.error?.data.details["mayHaveBeenCharged"] == true)
      #expect(generation.credits.charged == 0)
    }
    clock.cancel()
    #expect(await engine.generations.ends.keptPictures == 0)

    writes.end()
    if obstacle != .damage {
      // The record follows: it failed, and all credits are free.
      if obstacle == .leaving {
        await engine.generations.ends.leave()
      } else {
        try await fixture.heartbeats { try await engine.row("gen_1")?.state == .failed }
      }
      #expect(try await engine.credits(of: "anna") == before)
      let again = await #expect(throws: AtelierError.self) { try await engine.generate(request).value }
      #expect(again?.details["mayHaveBeenCharged"] == true)
      #expect(provider.requests.count == 2, "it is not made again")
    }
    await engine.leave()
  }

  @Test("a picture that waits to be staged is handed over when the process leaves, at the latest", arguments: [false, true])
  func staging(isPrivate: Bool) async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let engine = try fixture.engine([ScriptedProvider(isLocal: false) { _, _ in
      try await gate.pass()
      return try ScriptedProvider.picture()
    }])
    let task = engine.generate(.picture(inline: isPrivate, key: "k", private: isPrivate))
    await gate.hasSeen()
    let (data, aside) = (fixture.directory.path, fixture.directory.path + ".old")
    try FileManager.default.moveItem(atPath: data, toPath: aside)
    gate.open()
    await fixture.clock.someoneSleeps(for: engine.engine.parts.heartbeatInterval)
    try await until { await engine.generations.isSavingOrEnding("gen_1") }
    await engine.generations.abandon()
    let generation = try await task.value
    #expect(generation.handsOver && generation.images.first?.data != nil)
    try FileManager.default.moveItem(atPath: aside, toPath: data)
    await engine.leave()
  }

  /// What keeps a picture from being stored when its connection ends.
  enum Fault: CaseIterable, Sendable {
    case database, staging, bucket
  }

  @Test("a picture that waits for the store is handed over when its connection ends", arguments: Fault.allCases)
  func connectionEnds(fault: Fault) async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let storage = fault == .bucket ? MemoryStorage() : nil
    let engine = try fixture.engine(
      [
        ScriptedProvider(isLocal: false, creditsPerImage: 1) { _, _ in
          try await gate.pass()
          return try ScriptedProvider.picture()
        }
      ], storage: storage)
    try await engine.give(3, to: "anna")
    let before = try await engine.credits(of: "anna")
    let task = engine.generate(.picture(key: "k", account: "anna"))
    await gate.hasSeen()
    let (data, aside) = (fixture.directory.path, fixture.directory.path + ".old")
    let asked = Gate()
    let writes = try await engine.failingWrites()
    switch fault {
    case .database: writes.begin(.SQLITE_FULL)
    case .staging: try FileManager.default.moveItem(atPath: data, toPath: aside)
    case .bucket:
      storage?.decide { _, _ in
        asked.open()
        return .answer(503)
      }
    }
    gate.open()
    switch fault {
    case .database: try await until { await engine.generations.ends.isKept("gen_1") }
    case .staging:
      await fixture.clock.someoneSleeps(for: engine.engine.parts.heartbeatInterval)
      try await until { await engine.generations.isSavingOrEnding("gen_1") }
    case .bucket: try await asked.pass()
    }
    engine.generations.requestsEnd()
    task.cancel()
    let generation = try await task.value
    #expect(generation.handsOver && generation.images.first?.data != nil)
    #expect(generation.error?.data.details["mayHaveBeenCharged"] == true)
    writes.end()
    if fault == .staging { try FileManager.default.moveItem(atPath: aside, toPath: data) }
    storage?.serveAll()
    await engine.leave()
    let later = try fixture.engine([ScriptedProvider()], storage: storage)
    #expect(try await later.row("gen_1")?.state == .failed)
    #expect(try await later.credits(of: "anna") == before)
    try await later.leaveWithTheLedgerInOrder()
  }

  @Test("nobody is asked for paid work by a store whose first trial fails, nor after it was found faulty")
  func provenFirst() async throws {
    let fixture = try ServiceFixture()
    let storage = MemoryStorage()
    let gate = Gate()
    let provider = ScriptedProvider(isLocal: false, creditsPerImage: 1) { _, _ in
      try await gate.pass()
      return try ScriptedProvider.picture()
    }
    let engine = try fixture.engine([provider], storage: storage)
    // Reading works, and so does what is asked at the start.
    storage.decide { request, _ in request.method == .put ? .answer(403) : .serve }
    let refused = await #expect(throws: AtelierError.self) {
      try await engine.generate(.picture(account: "anna")).value
    }
    #expect(refused?.kind == .storageUnavailable)
    #expect(provider.requests.isEmpty)
    storage.serveAll()
    let task = engine.generate(.picture("another", account: "anna"))
    await gate.hasSeen()
    gate.open()
    #expect(try await task.value.state == .succeeded)
    try await engine.leaveWithTheLedgerInOrder()
  }
}

extension [Announcement] {
  fileprivate var finished: [Generation] {
    compactMap { if case .finished(let generation, _) = $0 { generation } else { nil } }
  }
}

extension EndWriter {
  /// How many kept ends still have pictures.
  fileprivate var keptPictures: Int { kept.values.count { $0.ending.pictureBytes > 0 || $0.ending.unkept != nil } }
}

extension GenerationManager {
  fileprivate func isSavingOrEnding(_ id: GenerationID) -> Bool {
    guard let live = table[id] else { return true }
    return live.isSaving || live.isEnding
  }
}

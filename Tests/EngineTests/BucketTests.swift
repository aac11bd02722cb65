import AtelierProtocol
import Foundation
import ServiceFixture
import Support
import Synchronization
import Testing

@testable import Engine
@testable import Store

@Suite("Pictures whose place is a bucket", .timeLimit(.minutes(3)))
struct BucketTests {
  private let fixture: ServiceFixture
  private let storage = MemoryStorage()

  init() throws { fixture = try ServiceFixture() }

  private var cached: [String] { fixture.temporary.files(below: "data/cache") }

  private func emptyCache() throws { try FileManager.default.removeItem(atPath: "\(fixture.directory.path)/cache") }

  @Test(
    "paid pictures are kept and delivered once the bucket stores again; meanwhile nobody else is asked",
    arguments: [403, 500, 503, 507])
  func kept(status: Int) async throws {
    let gate = Gate()
    let provider = ScriptedProvider(maximumConcurrentImages: 1, creditsPerImage: 1, waitingAt: gate)
    let engine = try fixture.engine([provider], storage: storage)
    try await engine.give(3, to: "anna")
    let before = try await engine.credits(of: "anna")
    let first = engine.generate(.picture("one", key: "one", account: "anna"))
    await gate.hasSeen()
    storage.decide { _, _ in .answer(status) }
    gate.open()
    // As long as nothing has failed, the bucket's last answer counts.
    let store = try await engine.engine.lazyStore.store()
    try await until { await !store.status().isHealthy }
    let refused = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(.picture("two", account: "carl"), for: Caller())
    }
    #expect(refused?.kind == (status == 507 ? .storageFull : .storageUnavailable), "\(refused?.hint ?? "accepted")")
    #expect(refused?.hint?.contains("object storage") == true || status == 403)
    #expect(provider.requests.count == 1)
    storage.serveAll()
    try await fixture.heartbeats { try await engine.row("gen_1")?.state == .succeeded }
    let result = try #require(try await first.value.result)
    #expect(result.images.count == 1 && result.credits.charged == 1)
    #expect(try await engine.credits(of: "anna") == [before[0] - 1, 0])
    #expect(try await engine.engine.lazyStore.store().check().findings.map(\.sentence) == [])
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a paid picture of a process that was taken for dead while it slept is stored again, and delivered")
  func slept() async throws {
    let engine = try fixture.engine([ScriptedProvider(creditsPerImage: 1)], storage: storage)
    try await engine.give(3, to: "anna")
    let store = try await engine.engine.lazyStore.store()
    let hasSlept = Mutex(false)
    storage.decide { request, name in
      guard request.method == .put, !name.hasPrefix("trial") else { return .serve }
      let isFirst = hasSlept.withLock { slept in
        defer { slept = true }
        return !slept
      }
      if !isFirst { return .serve }
      // Whoever took it for dead has forgotten what it was about to store.
      try? await store.write { [process = store.process] session in try session.fileNotes.delete(of: process) }
      return .serve
    }
    let folder = try fixture.temporary.makeFolder("out")
    var request = Generate.picture("one", account: "anna")
    request.output = Generate.Output(directory: folder)
    let result = try #require(try await engine.generate(request).value.result)
    #expect(result.state == .succeeded && result.credits.charged == 1)
    let puts = storage.requests.filter { $0.hasPrefix("PUT") && !$0.hasPrefix("PUT trial") }
    #expect(puts.count == 2, "\(storage.requests)")
    #expect(storage.names.count == 1, "\(storage.names)")
    storage.serveAll()
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a paid picture waits while the bucket's key is refused, and is stored with the next key, without another start")
  func renewedKey() async throws {
    let gate = Gate()
    let provider = ScriptedProvider(creditsPerImage: 1, waitingAt: gate)
    let engine = try fixture.engine([provider], storage: storage)
    try await engine.give(3, to: "anna")
    let first = engine.generate(.picture("one", account: "anna"))
    await gate.hasSeen()
    storage.believe("next")
    gate.open()
    let store = try await engine.engine.lazyStore.store()
    try await until { await !store.status().isHealthy }
    storage.giveKey("next")
    storage.uptime.add(5_000, ordering: .relaxed)
    try await fixture.heartbeats { try await engine.row("gen_1")?.state == .succeeded }
    #expect(try await first.value.result?.credits.charged == 1 && provider.requests.count == 1)
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a picture that is not on this machine is read, refined and exported from the bucket, and history asks it nothing")
  func elsewhere() async throws {
    let provider = ScriptedProvider()
    let engine = try fixture.engine([provider], storage: storage)
    let made = try #require(try await engine.generate(.picture("one")).value.result)
    let path = try #require(made.images.first?.path)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try emptyCache()
    let requests = storage.requests.count
    let page = try await engine.engine.history(History(), for: Caller())
    #expect(page.entries.first?.images.first?.path == nil && page.entries.first?.images.first?.sha256 != nil)
    #expect(storage.requests.count == requests && cached.isEmpty)

    let read = try await engine.engine.readImage(ImageRead(generationId: made.generationId), for: Caller())
    #expect(Data(base64Encoded: read.data) == bytes)
    let again = try await engine.engine.fetchingPictures(of: made.generationId, for: Caller())
    #expect(again.images.first?.path == path)
    try emptyCache()
    var refinement = Generate.picture("with a hat")
    refinement.recipe = .edit
    refinement.image = .generation(made.generationId, index: nil)
    #expect(try await engine.generate(refinement).value.result?.state == .succeeded)
    try emptyCache()
    let folder = fixture.temporary.path("export")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let export = try await engine.engine.exportHistory(HistoryExport(directory: folder), for: Caller())
    #expect(export.entries == 2 && export.files >= 2)
    await engine.leave()
  }

  @Test("nothing is made or charged while the bucket keeps versions")
  func versions() async throws {
    let provider = ScriptedProvider(creditsPerImage: 1)
    let engine = try fixture.engine([provider], storage: storage)
    try await engine.give(3, to: "anna")
    let before = try await engine.credits(of: "anna")
    storage.setVersioning("Enabled")
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(.picture(account: "anna"), for: Caller())
    }
    #expect(error?.kind == .storageUnavailable && error?.hint?.contains("artifacts.keepsVersions") == true)
    #expect(provider.requests.isEmpty && storage.names.isEmpty)
    #expect(try await engine.credits(of: "anna") == before)
    try await engine.leaveWithTheLedgerInOrder()
  }

  @Test("a private picture is neither in the bucket nor in the cache, at any moment")
  func privately() async throws {
    let engine = try fixture.engine([ScriptedProvider()], storage: storage)
    let request = Generate.picture("secret", inline: true, private: true)
    #expect(try await engine.generate(request).value.result?.state == .succeeded)
    #expect(!storage.requests.contains { $0.hasPrefix("PUT") && !$0.hasPrefix("PUT trial") })
    #expect(cached.isEmpty)
    await engine.leave()
  }

  @Test("nothing of an account is left in the bucket or the cache once it deletes everything")
  func deleted() async throws {
    let engine = try fixture.engine([ScriptedProvider()], storage: storage)
    for prompt in ["one", "two"] {
      var request = Generate.picture(prompt, account: "anna")
      request.recipe = .edit
      request.image = .data(try #require(InlineImage(base64: try ScriptedProvider.picture().bytes.base64)))
      #expect(try await engine.generate(request).value.result?.state == .succeeded)
    }
    #expect(!storage.names.isEmpty)
    _ = try await engine.engine.deleteHistory(HistoryDelete(target: .everything(of: "anna")), for: Caller())
    #expect(storage.names.isEmpty)
    #expect(cached.isEmpty)
    await engine.leave()
  }
}

extension [UInt8] {
  fileprivate var base64: String { Data(self).base64EncodedString() }
}

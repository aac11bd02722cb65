import AtelierProtocol
import Testing

@testable import Store

@Suite("Deleting from history")
struct DeletionTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  @Test("a deletion takes one generation of the account, with its files")
  func one() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance("anna"))
    let image = try await store.stage([1, 2, 3], mimeType: "image/png")
    let thumbnail = try await store.stage([4], mimeType: "image/jpeg")
    _ = try await store.finish(
      Settlement(
        id: id, state: .succeeded,
        files: [GenerationFile(source: .staged(image), width: 1, height: 1), .thumbnail(thumbnail)]))
    for (unknown, account) in [(id, "bert"), ("gen_none", nil)] as [(GenerationID, AccountID?)] {
      let error = await #expect(throws: AtelierError.self) { try await store.delete(.one(unknown, account: account)) }
      #expect(error?.kind == .notFound)
    }
    #expect(
      try await store.delete(.one(id, account: "anna"))
        == DeletionSummary(deleted: 1, bytesFreed: 4, stillRunning: []))
    #expect(try await store.generation(id, account: nil) == nil)
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
  }

  @Test("a deletion leaves alone what has not ended, and names it")
  func running() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance("anna"))
    #expect(
      try await store.delete(.one(id, account: nil)) == DeletionSummary(deleted: 0, bytesFreed: 0, stillRunning: [id]))
    #expect(
      try await store.delete(.all(account: "anna")) == DeletionSummary(deleted: 0, bytesFreed: 0, stillRunning: [id]))
    #expect(try await store.generation(id, account: nil)?.state == .running)
  }

  @Test("a deletion takes all of an account, its prepared inputs included, and nothing of another's")
  func all() async throws {
    let store = try await fixture.open()
    for number in 0..<5 as Range<UInt8> {
      for account in ["anna", "bert"] as [AccountID] {
        try await store.succeed(try await store.begin(fixture.acceptance(account)), with: [number, number])
      }
    }
    try await store.succeed(try await store.begin(fixture.acceptance("anna")), with: [99])
    let staged = try await store.stage([7, 7, 7, 7], mimeType: "image/jpeg")
    _ = try await store.keepPrepared(
      PreparedKeeping(id: "prep_1", account: "anna", artifact: staged, width: 1, height: 1))
    let summary = try await store.delete(.all(account: "anna"))
    #expect(summary == DeletionSummary(deleted: 6, bytesFreed: 5, stillRunning: []))
    #expect(try await store.history(HistoryFilter(account: "anna"), limit: 10).entries.isEmpty)
    #expect(try await store.history(HistoryFilter(account: "bert"), limit: 10).entries.count == 5)
    #expect(try await store.prepared("prep_1", account: "anna") == .expired)
    #expect(fixture.temporary.files(below: "data/artifacts").count == 5)
    #expect(try await store.check().findings.isEmpty)
    #expect(try await store.delete(.all(account: "anna")).deleted == 0)
  }

  @Test("a deletion leaves no trace of the prompt in any file", .onlySQLite)
  func leavesNoTrace() async throws {
    let store = try await fixture.open()
    let secret = "an unmistakable text"
    for _ in 0..<30 {
      _ = try await store.finish(
        Settlement(id: try await store.begin(fixture.acceptance("anna", prompt: secret)), state: .failed, text: secret))
    }
    _ = try await store.accept(fixture.acceptance("bert", prompt: "another"))
    func traces() throws -> [String] {
      try fixture.temporary.files().filter { file in
        String(decoding: try contents(of: "\(fixture.temporary.path)/\(file)"), as: UTF8.self).contains(secret)
      }
    }
    #expect(try !traces().isEmpty)
    _ = try await store.delete(.all(account: "anna"))
    #expect(try traces().isEmpty)
  }
}

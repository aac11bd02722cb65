import AtelierProtocol
import ServiceFixture
import Testing

@testable import Engine

@Suite("Forgetting", .timeLimit(.minutes(2)))
struct DeletionTests {
  @Test(
    "forgetting a running generation ends it; it is answered as cancelled, and nothing of it stays",
    arguments: [true, false])
  func running(isOne: Bool) async throws {
    let fixture = try ServiceFixture()
    let gate = Gate()
    let engine = try fixture.engine([ScriptedProvider(waitingAt: gate)])
    let task = engine.generate(.picture())
    await gate.hasSeen()
    let target: HistoryDelete.Target = isOne ? .generation("gen_1", account: nil) : .everything(of: .owner)
    let deleted = try await engine.engine.deleteHistory(HistoryDelete(target: target), for: Caller())
    #expect(deleted.deleted == 1)
    #expect(try await task.value.result?.state == .cancelled)
    #expect(try await engine.entry("gen_1") == nil)
    await engine.leave()
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    #expect(fixture.temporary.files(below: "data/temporary").isEmpty)
  }

  @Test("forgetting everything of an account leaves the others' alone, and frees the files nobody else refers to")
  func everything() async throws {
    let fixture = try ServiceFixture()
    let engine = try fixture.engine([ScriptedProvider()])
    for account in ["alice", "alice", "bob"] as [AccountID] {
      _ = try await engine.generations.generate(.picture(account: account), for: Caller())
    }
    await engine.generations.finishThumbnails()
    let files = fixture.temporary.files(below: "data/artifacts")
    #expect(files.count == 2, "the same picture and thumbnail are stored once")
    let alice = HistoryDelete(target: .everything(of: "alice"))
    let first = try await engine.engine.deleteHistory(alice, for: Caller())
    #expect(first == HistoryDelete.Result(deleted: 2, bytesFreed: 0))
    #expect(fixture.temporary.files(below: "data/artifacts") == files)
    #expect(try await engine.entry("gen_3") != nil)
    let refused = await #expect(throws: AtelierError.self) {
      try await engine.engine.deleteHistory(alice, for: Caller(confinedTo: "bob"))
    }
    #expect(refused?.kind == .permissionDenied)
    let second = try await engine.engine.deleteHistory(
      HistoryDelete(target: .generation("gen_3", account: nil)), for: Caller(confinedTo: "bob"))
    #expect(second.deleted == 1)
    #expect(second.bytesFreed > 0)
    #expect(fixture.temporary.files(below: "data/artifacts").isEmpty)
    await engine.leave()
  }

  @Test("forgetting what a key was used for does not let the key run again")
  func key() async throws {
    let provider = ScriptedProvider()
    let engine = try ServiceFixture().engine([provider])
    _ = try await engine.generations.generate(.picture(key: "k"), for: Caller())
    _ = try await engine.engine.deleteHistory(
      HistoryDelete(target: .generation("gen_1", account: nil)), for: Caller())
    let error = await #expect(throws: AtelierError.self) {
      try await engine.generations.generate(.picture(key: "k"), for: Caller())
    }
    #expect(error?.kind == .notFound)
    #expect(provider.requests.count == 1)
    await engine.leave()
  }
}

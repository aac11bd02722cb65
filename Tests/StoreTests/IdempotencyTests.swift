import AtelierProtocol
import Testing

@testable import Store

@Suite("Idempotency keys")
struct IdempotencyTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  @Test("the same key and params give the same generation, also when it has ended and after a restart")
  func sameAgain() async throws {
    let store = try await fixture.open()
    let first = try await store.accept(fixture.acceptance("anna", key: "k")).row
    #expect(try await store.accept(fixture.acceptance("anna", key: "k")) == .existing(first))
    _ = try await store.start(first.id)
    let ended = try #require(try await store.succeed(first.id, with: [1]).finished)
    #expect(try await store.accept(fixture.acceptance("anna", key: "k")) == .existing(ended))
    await store.close()
    #expect(try await fixture.open().accept(fixture.acceptance("anna", key: "k")) == .existing(ended))
  }

  @Test("a key is an account's own")
  func perAccount() async throws {
    let store = try await fixture.open()
    let anna = try await store.accept(fixture.acceptance("anna", key: "k"))
    let bert = try await store.accept(fixture.acceptance("bert", key: "k", hash: 8))
    #expect(anna.row.id != bert.row.id)
  }

  @Test("a key used for other params is refused, and nothing is stored")
  func mismatch() async throws {
    let store = try await fixture.open()
    _ = try await store.accept(fixture.acceptance("anna", key: "k"))
    let error = await #expect(throws: AtelierError.self) {
      try await store.accept(fixture.acceptance("anna", key: "k", hash: 8))
    }
    #expect(error?.kind == .idempotencyMismatch)
    #expect(try await store.running(account: "anna").count == 1)
  }

  @Test("a key stays taken when its generation is deleted")
  func afterDeletion() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance("anna", key: "k"))
    try await store.succeed(id, with: [1])
    _ = try await store.delete(.one(id, account: nil))
    let error = await #expect(throws: AtelierError.self) {
      try await store.accept(fixture.acceptance("anna", key: "k"))
    }
    #expect(error?.kind == .notFound)
    #expect(try await store.generation(idempotencyKey: "k", account: "anna") == nil)
  }

  @Test("one of many that race for a key on two stores is accepted", arguments: 0..<8 as Range<UInt64>)
  func race(seed: UInt64) async throws {
    let fixture = try StoreFixture(seed: seed)
    let stores = [try await fixture.open(), try await fixture.open()]
    let outcomes = try await withThrowingTaskGroup(of: AcceptOutcome.self) { group in
      for number in 0..<16 {
        group.addTask { try await stores[number % 2].accept(fixture.acceptance("anna", key: "k")) }
      }
      return try await group.reduce(into: [AcceptOutcome]()) { $0.append($1) }
    }
    let accepted = outcomes.filter { if case .accepted = $0 { true } else { false } }
    #expect(accepted.count == 1, "seed \(seed)")
    #expect(Set(outcomes.map(\.row.id)).count == 1, "seed \(seed)")
    #expect(try await stores[0].running(account: nil).count == 1, "seed \(seed)")
  }

  @Test("exactly one of a cancel and a finish that race wins", arguments: 0..<8 as Range<UInt64>)
  func finishRace(seed: UInt64) async throws {
    let fixture = try StoreFixture(seed: seed)
    let store = try await fixture.open()
    let other = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    async let finish = store.succeed(id, with: [UInt8(seed)])
    async let cancel = other.cancel(id, account: nil)
    let (finished, cancelled) = try await (finish, cancel)
    let row = try #require(try await other.generation(id, account: nil))
    switch (finished, cancelled) {
    case (.finished, .alreadyFinished(let seen)):
      #expect(seen == row && row.state == .succeeded && row.images.count == 1, "seed \(seed)")
    case (.alreadyFinal(let seen), .cancelled):
      #expect(seen == row && row.state == .cancelled && row.images.isEmpty, "seed \(seed)")
    default:
      Issue.record("seed \(seed): \(finished) and \(cancelled)")
    }
  }
}

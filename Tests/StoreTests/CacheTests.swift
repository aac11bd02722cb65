import AtelierProtocol
import Testing

@testable import Store

@Suite("Cached results")
struct CacheTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private let key = [UInt8](repeating: 9, count: 32)

  private func end(
    _ acceptance: Acceptance, as state: GenerationState, isCached: Bool = false, in store: Store
  ) async throws {
    let id = try await store.begin(acceptance)
    let staged = try await store.stage([1, 2, 3], mimeType: "image/png")
    _ = try await store.finish(
      Settlement(
        id: id, state: state, files: [GenerationFile(index: 0, source: .staged(staged), width: 4, height: 3)],
        isCached: isCached, cacheKey: key))
  }

  @Test("cached results are found by their account, the newest first, until they are deleted")
  func found() async throws {
    let store = try await fixture.open()
    let (older, newer) = (fixture.acceptance("anna"), fixture.acceptance("anna"))
    try await end(older, as: .succeeded, in: store)
    fixture.clock.advance(by: 1)
    try await end(newer, as: .succeeded, in: store)
    #expect(try await store.cachedResult(for: key, account: "anna")?.id == newer.id)
    #expect(try await store.cachedResult(for: key, account: "bert") == nil)
    #expect(try await store.cachedResult(for: [UInt8](repeating: 8, count: 32), account: "anna") == nil)
    _ = try await store.delete(.one(newer.id, account: nil))
    #expect(try await store.cachedResult(for: key, account: "anna")?.id == older.id)
    _ = try await store.delete(.all(account: "anna"))
    #expect(try await store.cachedResult(for: key, account: "anna") == nil)
    #expect(try await store.check().isSound)
  }

  @Test("cached results are none of what ended otherwise, is private, or was itself answered so")
  func none() async throws {
    let store = try await fixture.open()
    for state in GenerationState.endsOfWork where state != .succeeded {
      try await end(fixture.acceptance("anna"), as: state, in: store)
    }
    try await end(fixture.acceptance("anna", isPrivate: true), as: .succeeded, in: store)
    try await end(fixture.acceptance("anna"), as: .succeeded, isCached: true, in: store)
    #expect(try await store.cachedResult(for: key, account: "anna") == nil)
    #expect(try await keys(store) == 0)
  }

  private func keys(_ store: Store) async throws -> Int {
    try await store.number("SELECT count(*) FROM generation_cache_key")
  }

  @Test("cached results are none of what is there in part, even with a key", arguments: GenerationState.endsOfWork)
  func keyed(state: GenerationState) async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance("anna"))
    try await store.write { [key] session in try session.cacheKeys.insert(key, of: id) }
    let staged = try await store.stage([1, 2, 3], mimeType: "image/png")
    _ = try await store.finish(
      Settlement(id: id, state: state, files: [GenerationFile(index: 0, source: .staged(staged), width: 4, height: 3)]))
    #expect(try await keys(store) == 1)
    #expect(try await store.cachedResult(for: key, account: "anna")?.id == (state == .succeeded ? id : nil))
  }
}

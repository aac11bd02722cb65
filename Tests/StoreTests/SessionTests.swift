import AtelierProtocol
import Support
import Testing

@testable import Store

@Suite("Sessions")
struct SessionTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  private func step(_ store: Store, _ parent: GenerationID? = nil, _ account: AccountID = "anna") async throws
    -> GenerationID
  {
    fixture.clock.advance(by: 10)
    let id = try await store.begin(fixture.acceptance(account, recipe: .edit, parent: parent))
    _ = try await store.finish(Settlement(id: id, state: .failed))
    return id
  }

  private func steps(_ store: Store, _ id: GenerationID, limit: Int = 100) async throws -> [GenerationID] {
    var (ids, cursor): ([GenerationID], HistoryCursor?) = ([], nil)
    var pages = 0
    repeat {
      pages += 1
      try #require(pages < 1_000, "the pages do not end")
      let page = try await store.session(id, account: nil, limit: limit, after: cursor)
      ids += page.entries.map(\.id)
      cursor = page.nextCursor
    } while cursor != nil
    return ids
  }

  @Test("sessions are trees of refinements, the one that went on last first, found by any of their steps")
  func trees() async throws {
    let store = try await fixture.open()
    let first = try await step(store)
    _ = try await step(store)
    let other = try await step(store)
    let left = try await step(store, first)
    let right = try await step(store, first)
    let answer = try await step(store, other)
    let leaf = try await step(store, left)
    let theirs = try await step(store, try await step(store, nil, "bert"), "bert")
    let (sessions, next) = try await store.sessions(account: "anna", limit: 10)
    #expect(sessions.map(\.id) == [first, other] && sessions.map(\.steps) == [4, 2] && next == nil)
    #expect(sessions.map(\.first.id) == [first, other] && sessions.map(\.last.id) == [leaf, answer])
    let all = try await store.sessions(account: nil, limit: 10).sessions
    #expect(all.count == 3 && all.first?.last.id == theirs)
    for id in [first, left, right, leaf] {
      #expect(try await steps(store, id, limit: 1) == [first, left, right, leaf])
    }
    for (id, account) in [("gen_none", nil), (first, "bert")] as [(GenerationID, AccountID?)] {
      let error = await #expect(throws: AtelierError.self) {
        try await store.session(id, account: account, limit: 1)
      }
      #expect(error?.kind == .notFound)
    }
    let page = try await store.sessions(account: nil, limit: 2)
    #expect(page.sessions.count == 2)
    let rest = try await store.sessions(account: nil, limit: 2, after: page.nextCursor)
    #expect(rest.sessions.map(\.id) == [other] && rest.nextCursor == nil)
  }

  @Test("sessions keep their id and the rest of their steps when some are deleted, whichever they are")
  func deletion() async throws {
    let store = try await fixture.open()
    let first = try await step(store)
    let second = try await step(store, first)
    let third = try await step(store, second)
    _ = try await store.delete(.one(second, account: nil))
    #expect(try await steps(store, third) == [first, third])
    _ = try await store.delete(.one(first, account: nil))
    #expect(try await steps(store, first) == [third])
    let fourth = try await step(store, third)
    #expect(try await store.sessions(account: "anna", limit: 10).sessions.map(\.id) == [first])
    #expect(try await store.sessions(account: "anna", limit: 10).sessions.first?.latest == fixture.clock.now)
    _ = try await store.delete(.one(fourth, account: nil))
    _ = try await store.delete(.one(third, account: nil))
    #expect(try await store.sessions(account: nil, limit: 10).sessions.isEmpty)
    #expect(try await store.check().findings.isEmpty)
  }

  @Test("sessions may be a thousand steps long, and are read back in order")
  func long() async throws {
    let store = try await fixture.open()
    var ids = [try await step(store)]
    for _ in 0..<1_000 { ids.append(try await step(store, ids.last)) }
    #expect(try await steps(store, ids[500]) == ids)
    #expect(try await store.sessions(account: nil, limit: 1).sessions.first?.steps == 1_001)
  }
}

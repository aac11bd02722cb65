import AtelierProtocol
import Testing

@testable import Store

@Suite("What is said of a generation after its end")
struct RemarksTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  @Test("feedback is kept in history, replaced by the next, and goes with its generation")
  func feedback() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance("anna"))
    for (unknown, account, kind) in [
      (id, nil, .notFinished), (id, "bert", .notFound), ("gen_none", nil, .notFound),
    ] as [(GenerationID, AccountID?, ErrorKind)] {
      let error = await #expect(throws: AtelierError.self) {
        try await store.keepFeedback(rating: 3, text: nil, of: unknown, account: account)
      }
      #expect(error?.kind == kind)
    }
    try await store.succeed(id, with: [1])
    let words = "an unmistakable opinion"
    _ = try await store.keepFeedback(rating: 2, text: words, of: id, account: "anna")
    #expect(try await store.generation(id, account: nil)?.feedback == Generation.Feedback(rating: 2, text: words))
    let second = try await store.keepFeedback(rating: 5, text: nil, of: id, account: nil)
    #expect(second == Generation.Feedback(rating: 5))
    #expect(try await store.history(HistoryFilter(), limit: 1).entries.first?.feedback == second)
    _ = try await store.keepFeedback(rating: 1, text: words, of: id, account: nil)
    _ = try await store.delete(.one(id, account: nil))
    #expect(try traces(of: Array(words.utf8), in: fixture).isEmpty)
  }

  @Test("only the rating of a private generation is kept")
  func ofPrivate() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance("anna", isPrivate: true))
    try await store.succeed(id, with: [1])
    let kept = try await store.keepFeedback(rating: 4, text: "unmistakable words", of: id, account: "anna")
    #expect(kept == Generation.Feedback(rating: 4))
    #expect(try traces(of: Array("unmistakable words".utf8), in: fixture).isEmpty)
  }

  @Test("metadata and favourites are noted apart from each other, and favourites can be asked for alone")
  func annotations() async throws {
    let store = try await fixture.open()
    var ids: [GenerationID] = []
    for number in 0..<6 as Range<UInt8> {
      ids.append(try await store.begin(fixture.acceptance("anna", parent: number > 3 ? ids[0] : nil)))
      try await store.succeed(ids[Int(number)], with: [number])
      fixture.clock.advance(by: 1)
    }
    let open = try await store.begin(fixture.acceptance("anna"))
    let error = await #expect(throws: AtelierError.self) {
      try await store.annotate(open, metadata: nil, isFavorite: true, account: nil)
    }
    #expect(error?.kind == .notFinished)
    for index in [1, 3, 5] { _ = try await store.annotate(ids[index], metadata: nil, isFavorite: true, account: nil) }
    #expect(try await store.generation(ids[1], account: nil)?.metadata == ["ticket": 12])
    let noted = try await store.annotate(ids[1], metadata: ["album": "sea"], isFavorite: nil, account: "anna")
    #expect(noted.metadata == ["album": "sea"] && noted.isFavorite)
    _ = try await store.annotate(ids[3], metadata: nil, isFavorite: false, account: nil)
    let page = try await store.history(HistoryFilter(account: "anna", onlyFavorites: true), limit: 1)
    #expect(page.entries.map(\.id) == [ids[5]] && page.totals.generations == 2)
    let rest = try await store.history(HistoryFilter(onlyFavorites: true), limit: 9, cursor: page.nextCursor)
    #expect(rest.entries == [noted] && rest.nextCursor == nil)
    let children = try await store.history(HistoryFilter(parent: ids[0], onlyFavorites: true), limit: 9)
    #expect(children.entries.map(\.id) == [ids[5]])
    #expect(try await store.history(HistoryFilter(account: "bert", onlyFavorites: true), limit: 9).entries.isEmpty)
    _ = try await store.delete(.all(account: "anna"))
    #expect(try await store.check().findings.isEmpty)
  }
}

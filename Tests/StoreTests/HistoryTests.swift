import AtelierProtocol
import Encodings
import Support
import Testing

@testable import Store

@Suite("History")
struct HistoryTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  @Test("history is newest first and filtered by each condition and all together")
  func filters() async throws {
    let store = try await fixture.open()
    let start = fixture.clock.now.milliseconds
    let parent = try await store.begin(
      fixture.acceptance(
        "anna", prompt: "Shorter hair", recipe: .hairstyle, metering: Metering(credits: 1, limits: [])))
    try await store.succeed(parent, with: [1], credits: 1)
    fixture.clock.advance(by: 1_000)
    let child = try await store.begin(
      fixture.acceptance("anna", prompt: "100% gray_blue \\o/", recipe: .edit, parent: parent))
    _ = try await store.finish(
      Settlement(
        id: child, state: .failed, text: "A POEM", usage: Usage(costUsd: 0.5)))
    fixture.clock.advance(by: 1_000)
    let theirs = try await store.begin(fixture.acceptance("bert", prompt: "lighthouse"))
    func at(_ step: Int64) -> Timestamp { Timestamp(milliseconds: start + step) }
    let table: [(HistoryFilter, [GenerationID])] = [
      (HistoryFilter(), [theirs, child, parent]),
      (HistoryFilter(account: "anna"), [child, parent]),
      (HistoryFilter(account: "nobody"), []),
      (HistoryFilter(recipe: .hairstyle), [parent]),
      (HistoryFilter(state: .running), [theirs]),
      (HistoryFilter(since: at(1_000)), [theirs, child]),
      (HistoryFilter(since: at(1_001)), [theirs]),
      (HistoryFilter(until: at(1_000)), [parent]),
      (HistoryFilter(until: at(1_001)), [child, parent]),
      (HistoryFilter(parent: parent), [child]),
      (HistoryFilter(search: "hAIr"), [parent]),
      (HistoryFilter(search: "poem"), [child]),
      (HistoryFilter(search: "%"), [child]),
      (HistoryFilter(search: "y_b"), [child]),
      (HistoryFilter(search: "r_h"), []),
      (HistoryFilter(search: "\\"), [child]),
      (HistoryFilter(search: "' OR 1=1 --"), []),
      (HistoryFilter(search: ""), [theirs, child, parent]),
      (
        HistoryFilter(account: "anna", recipe: .edit, state: .failed, since: at(0), search: "gray", parent: parent),
        [child]
      ),
      (HistoryFilter(account: "bert", recipe: .edit), []),
    ]
    for (filter, ids) in table {
      let page = try await store.history(filter, limit: 100)
      #expect(page.entries.map(\.id) == ids, "\(filter)")
      #expect(page.totals.generations == ids.count, "\(filter)")
      #expect(page.totals.costUsd == (ids.contains(child) ? 0.5 : 0), "\(filter)")
      #expect(page.totals.creditsUsed == (ids.contains(parent) ? 1 : 0), "\(filter)")
      #expect(page.nextCursor == nil, "\(filter)")
    }
  }

  @Test("a page ends before its budget of bytes, but has one entry at least")
  func budget() async throws {
    let store = try await fixture.open()
    for _ in 0..<10 { _ = try await store.accept(fixture.acceptance()) }
    for (budget, count) in [(0, 1), (99, 1), (100, 1), (199, 1), (200, 2), (999, 9), (1_000, 10), (9_999, 10)] {
      let page = try await store.history(HistoryFilter(), limit: 100, byteBudget: budget) { _ in 100 }
      #expect(page.entries.count == count, "budget \(budget)")
      #expect((page.nextCursor == nil) == (count == 10), "budget \(budget)")
      #expect(page.totals.generations == 10)
    }
    for (limit, count) in [(-1, 1), (0, 1), (3, 3), (10, 10), (1_000, 10)] {
      #expect(try await store.history(HistoryFilter(), limit: limit).entries.count == count, "limit \(limit)")
    }
  }

  @Test("a page has at most a hundred entries")
  func longest() async throws {
    let store = try await fixture.open()
    for _ in 0..<102 { _ = try await store.accept(fixture.acceptance()) }
    #expect(try await store.history(HistoryFilter(), limit: 5_000).entries.count == 100)
  }

  @Test("a cursor is read back as it was written, and nothing else is a cursor")
  func cursors() async throws {
    let store = try await fixture.open()
    for id in ["gen_1", "a:b", "ü💇", "x"] {
      var acceptance = fixture.acceptance()
      acceptance.id = GenerationID(rawValue: id)
      let cursor = HistoryCursor(after: try await store.accept(acceptance).row)
      let text = cursor.text(of: "history")
      #expect(HistoryCursor(text, of: "history") == cursor)
      #expect(HistoryCursor(text, of: "session/list") == nil)
      #expect(!text.contains { "+/=".contains($0) })
    }
    let almost = ["12:a", "history:12", "history:12:", "history:not:a", "history:012:a", "history:12:\0a"]
    for text in ["", "x", "AAAA", "!!!!", Base64URL.encoded("history:12:a".utf8) + "=="]
      + almost.map({ Base64URL.encoded($0.utf8) }) {
      #expect(HistoryCursor(text, of: "history") == nil, "\(text)")
    }
  }

  /// What a store should hold, as simple arrays.
  private struct Model {
    struct Entry: Equatable {
      var id: GenerationID
      var created: Int64
      var account: AccountID
    }
    var entries: [Entry] = []

    func newestFirst(_ account: AccountID?) -> [Entry] {
      entries.filter { account == nil || $0.account == account }
        .sorted { ($0.created, $0.id.rawValue) > ($1.created, $1.id.rawValue) }
    }
  }

  @Test("walking the pages shows every lasting entry once, while others are added and removed",
    arguments: 0..<12 as Range<UInt64>)
  func walk(seed: UInt64) async throws {
    let fixture = try StoreFixture(seed: seed)
    let store = try await fixture.open()
    var random = SplitMix64(seed: seed &+ 1_000)
    var model = Model()
    func add() async throws {
      let account: AccountID = Bool.random(using: &random) ? "anna" : "bert"
      let row = try await store.accept(fixture.acceptance(account)).row
      _ = try await store.finish(Settlement(id: row.id, state: .failed))
      model.entries.append(Model.Entry(id: row.id, created: row.created.milliseconds, account: account))
      // Several entries within one millisecond, and sometimes a clock that was set back.
      fixture.clock.advance(by: [0, 0, 1, 5, -3][Int.random(in: 0..<5, using: &random)])
    }
    for _ in 0..<40 { try await add() }
    let account: AccountID? = [nil, "anna", "bert"][Int.random(in: 0..<3, using: &random)]
    let atStart = model.newestFirst(account)
    var seen: [GenerationID] = []
    var cursor: HistoryCursor?
    var pages = 0
    repeat {
      pages += 1
      try #require(pages < 1_000, "seed \(seed): the pages do not end")
      let limit = Int.random(in: 1...7, using: &random)
      let page = try await store.history(HistoryFilter(account: account), limit: limit, cursor: cursor)
      let expected = model.newestFirst(account).filter { entry in
        cursor.map { (entry.created, entry.id.rawValue) < ($0.created, $0.id) } ?? true
      }
      #expect(page.entries.map(\.id) == expected.prefix(limit).map(\.id), "seed \(seed)")
      #expect(page.totals.generations == model.newestFirst(account).count, "seed \(seed)")
      #expect((page.nextCursor == nil) == (expected.count <= limit), "seed \(seed)")
      seen += page.entries.map(\.id)
      cursor = try page.nextCursor.map { try #require(HistoryCursor($0.text(of: "history"), of: "history")) }
      for _ in 0..<Int.random(in: 0...3, using: &random) { try await add() }
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        // Often the very entry the cursor names.
        let victim = Bool.random(using: &random) ? seen.last : model.entries.randomElement(using: &random)?.id
        guard let victim, let index = model.entries.firstIndex(where: { $0.id == victim }) else { continue }
        model.entries.remove(at: index)
        #expect(try await store.delete(.one(victim, account: nil)).deleted == 1)
      }
    } while cursor != nil
    #expect(Set(seen).count == seen.count, "seed \(seed): an entry was shown twice")
    let lasting = atStart.filter(model.entries.contains).map(\.id)
    #expect(lasting.allSatisfy(seen.contains), "seed \(seed): an entry was left out")
  }
}

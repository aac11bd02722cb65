import AtelierProtocol
import StatementCounting
import Testing

@testable import Store

/// Each statement is a round trip where the database is on another machine.
@Suite("The number of statements")
struct StatementCountTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  /// How many statements `work` runs.
  private func count(_ store: Store, _ work: () async throws -> Void) async throws -> Int {
    let counter = StatementCounter()
    counter.attach(to: store)
    try await work()
    return counter.statements.count
  }

  @Test("a page of history, a search and a page of sessions need at most eight, however many entries they have")
  func pages() async throws {
    let store = try await fixture.open()
    var last: GenerationID?
    for number in 0..<120 as Range<UInt8> {
      let id = try await store.begin(
        fixture.acceptance(
          "anna", prompt: "a lighthouse", parent: number.isMultiple(of: 3) ? nil : last,
          metering: Metering(credits: 0, limits: [])))
      try await store.succeed(id, with: [number])
      _ = try await store.keepFeedback(rating: 4, text: nil, of: id, account: nil)
      last = id
    }
    let page = try await count(store) {
      let page = try await store.history(HistoryFilter(account: "anna"), limit: 100)
      #expect(page.entries.count == 100)
    }
    #expect(page <= 8)
    let search = try await count(store) {
      let page = try await store.history(HistoryFilter(account: "anna", search: "lighthouse"), limit: 20)
      #expect(page.entries.count == 20)
    }
    #expect(search <= 8)
    let sessions = try await count(store) {
      let page = try await store.sessions(account: "anna", limit: 30)
      #expect(page.sessions.count == 30)
    }
    #expect(sessions <= 8)
  }

  @Test("a look at the queue and at the processes of unfinished generations needs two, however many there are")
  func processes() async throws {
    var stores: [Store] = []
    for _ in 0..<4 {
      let store = try await fixture.open()
      for _ in 0..<3 { _ = try await store.begin(fixture.acceptance()) }
      stores.append(store)
    }
    let looking = try await fixture.open()
    let statements = try await count(looking) {
      let processes = try await looking.queueStateAndProcesses().processes
      #expect(processes == stores.map(\.process).sorted { $0.rawValue < $1.rawValue })
    }
    #expect(statements == 2)
  }
}

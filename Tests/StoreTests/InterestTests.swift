import AtelierProtocol
import Support
import Testing

@testable import Store

@Suite("Interest in a generation")
struct InterestTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private func rows(_ store: Store) async throws -> Int {
    try await store.number("SELECT count(*) FROM generation_interest")
  }

  @Test("interest of another living process keeps a generation from being cancelled; the last one to withdraw cancels it")
  func last() async throws {
    let (one, other) = (try await fixture.open(), try await fixture.open())
    let id = try await one.begin(fixture.acceptance())
    try await one.noteInterest(in: id)
    try await other.noteInterest(in: id)
    #expect(try await one.cancelUnlessWanted(id) == nil)
    #expect(try await one.generation(id, account: nil)?.state == .running)
    guard case .cancelled(let row)? = try await other.cancelUnlessWanted(id) else {
      Issue.record("the last one did not cancel it")
      return
    }
    #expect(row.state == .cancelled)
    #expect(try await rows(one) == 0)
  }

  @Test("interest that was withdrawn can be noted again")
  func again() async throws {
    let (one, other) = (try await fixture.open(), try await fixture.open())
    let id = try await one.begin(fixture.acceptance())
    for _ in 0..<3 {
      try await one.noteInterest(in: id)
      try await other.noteInterest(in: id)
      #expect(try await other.cancelUnlessWanted(id) == nil)
    }
    #expect(try await one.cancelUnlessWanted(id) != nil)
  }

  @Test("interest of a dead process counts no more, whether it was killed or ended", arguments: [false, true])
  func dead(isKilled: Bool) async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance())
    if isKilled {
      try await fixture.dying { try await $0.noteInterest(in: id) }
    } else {
      let other = try await fixture.open()
      try await other.noteInterest(in: id)
      await other.close()
    }
    #expect(try await rows(store) == 1)
    #expect(try await store.cancelUnlessWanted(id) != nil)
    #expect(try await store.generation(id, account: nil)?.state == .cancelled)
  }

  @Test("interest gives back the credits with the last withdrawal, and the ledger agrees")
  func credits() async throws {
    let store = try await fixture.open()
    let id = try await store.begin(fixture.acceptance("anna", metering: Metering(credits: 1, limits: [])))
    try await store.noteInterest(in: id)
    #expect(try await store.creditSums(of: "anna").held == 1)
    _ = try await store.cancelUnlessWanted(id)
    #expect(try await store.creditSums(of: "anna").held == 0)
    #expect(try await store.auditLedger() == [])
  }

  @Test("interest is written once, ends with the generation, and is none in what has ended")
  func rows() async throws {
    let store = try await fixture.open()
    let ids = [try await store.begin(fixture.acceptance()), try await store.begin(fixture.acceptance())]
    for id in ids { try await store.noteInterest(in: id) }
    let commits = try store.watchCommits()
    for id in ids { try await store.noteInterest(in: id) }
    #expect(commits.commits == 0)
    #expect(try await rows(store) == 2)
    try await store.succeed(ids[0], with: [1])
    #expect(try await rows(store) == 1)
    try await store.noteInterest(in: ids[0])
    try await store.noteInterest(in: "gen_none")
    #expect(try await rows(store) == 1)
    guard case .alreadyFinished? = try await store.cancelUnlessWanted(ids[0]) else {
      Issue.record("what has ended was cancelled")
      return
    }
    #expect(try await store.cancelUnlessWanted("gen_none") == .notFound)
    _ = try await store.cancel(ids[1], account: nil)
    #expect(try await rows(store) == 0)
  }

  @Test("interest decides as a simple set does, in any order", arguments: 0..<30 as Range<UInt64>)
  func model(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let stores = [try await fixture.open(), try await fixture.open(), try await fixture.open()]
    let id = try await stores[0].begin(fixture.acceptance())
    var wants: Set<Int> = []
    var isOver = false
    for _ in 0..<25 where !isOver {
      let who = Int(random.next() % 3)
      if random.next() % 2 == 0 {
        try await stores[who].noteInterest(in: id)
        wants.insert(who)
      } else {
        wants.remove(who)
        let outcome = try await stores[who].cancelUnlessWanted(id)
        #expect((outcome == nil) == !wants.isEmpty, "seed \(seed)")
        isOver = wants.isEmpty
      }
      let state = try await stores[0].generation(id, account: nil)?.state
      #expect(state == (isOver ? .cancelled : .running), "seed \(seed)")
    }
  }
}

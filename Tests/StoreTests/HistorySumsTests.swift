import AtelierProtocol
import Support
import Testing

@testable import Store

@Suite("The sums of history")
struct HistorySumsTests {
  /// The rows of `generation_sum`, in order, as they should be and as they are.
  private func check(_ store: Store, _ fixture: StoreFixture, seed: UInt64, using random: inout SplitMix64) async throws {
    let (kept, counted) = try await store.read { session in
      let columns = "account, day, recipe, state, provider, failure"
      let kept = try session.rows(
        "SELECT \(columns), generations, credits, cost FROM generation_sum ORDER BY \(columns)"
      ).map(\.values)
      let counted = try session.rows(
        """
        SELECT \(columns), count(*) AS generations, sum(credits_charged) AS credits,
          sum(CAST(round(CAST(COALESCE(cost_usd, 0) * 1000000 AS NUMERIC)) AS BIGINT)) AS cost
        FROM (
          SELECT whose.account, created / 86400000 AS day, recipe, state, COALESCE(provider, '') AS provider,
            COALESCE(json_extract(error, '$.kind'), '') AS failure, credits_charged, cost_usd
          FROM generation JOIN (SELECT id, account FROM generation UNION ALL SELECT id, '' FROM generation) AS whose
            USING (id)
          WHERE state NOT IN ('queued', 'running')) AS ended
        GROUP BY \(columns) ORDER BY \(columns)
        """
      ).map(\.values)
      return (kept, counted)
    }
    #expect(kept == counted, "seed \(seed)")
    let artifacts = try await store.read { session in
      try session.values(
        "SELECT bytes FROM artifact_sum UNION ALL SELECT COALESCE(sum(bytes), 0) FROM artifact", as: Int.self)
    }
    try #require(artifacts.count > 1)
    #expect(artifacts[0] == artifacts[1], "seed \(seed)")
    try await checkTotals(store, fixture, seed: seed, using: &random)
  }

  /// The totals of a random filter against a look at every row.
  private func checkTotals(
    _ store: Store, _ fixture: StoreFixture, seed: UInt64, using random: inout SplitMix64
  ) async throws {
    func perhaps<Value>(_ values: [Value]) -> Value? {
      Int(random.next() % 3) == 0 ? values.randomElement(using: &random) : nil
    }
    func time() -> Timestamp? {
      perhaps([
        Timestamp(milliseconds: fixture.clock.now.milliseconds - Int64(random.next() % 1_000_000_000)),
        Timestamp(day: fixture.clock.now.day - Int64(random.next() % 12)),
      ])
    }
    let filter = HistoryFilter(
      account: perhaps(["anna", "bert", "nobody"]), recipe: perhaps(Recipe.allCases),
      state: perhaps(GenerationState.allCases), since: time(), until: time())
    let page = try await store.history(filter, limit: 100)
    let all = try await store.read { [store] session in
      let condition = try filter.condition()
      let rows = try session.rows(
        "SELECT * FROM generation WHERE \(condition.sql) ORDER BY created DESC, id DESC", condition.arguments)
      return try store.generations(in: session, rows: rows)
    }
    let states = try await store.read { session in
      try session.rows("SELECT state, count(*) AS count FROM generation GROUP BY state").map {
        (try $0.coded("state") as GenerationState, try $0.value("count") as Int)
      }
    }
    #expect(await store.status().countByState == Dictionary(uniqueKeysWithValues: states), "seed \(seed)")
    #expect(page.entries == Array(all.prefix(100)), "seed \(seed): \(filter)")
    #expect(page.totals.generations == all.count, "seed \(seed): \(filter)")
    let costs = all.reduce(0) { $0 + ($1.usage?.costUsd ?? 0) }
    #expect(abs(page.totals.costUsd - costs) < 1e-9, "seed \(seed): \(filter)")
    #expect(page.totals.atLeast == nil)
  }

  @Test(
    "the sums of history are those over the rows after every step, whatever comes, ends and goes",
    arguments: 0..<12 as Range<UInt64>)
  func random(seed: UInt64) async throws {
    let fixture = try StoreFixture(seed: seed)
    let store = try await fixture.open()
    var random = SplitMix64(seed: seed &+ 99)
    var open: [GenerationID] = []
    var ended: [GenerationID] = []
    for _ in 0..<60 {
      fixture.clock.advance(by: [0, 1, 40_000_000, 86_400_000, -30_000_000].randomElement(using: &random) ?? 0)
      switch random.next() % 6 {
      case 0, 1, 2:
        let acceptance = fixture.acceptance(
          ["anna", "bert"].randomElement(using: &random) ?? "anna",
          recipe: Recipe.allCases.randomElement(using: &random) ?? .edit, parent: ended.randomElement(using: &random))
        open.append(try await store.begin(acceptance))
      case 3, 4:
        guard let id = open.popLast() else { continue }
        let state = GenerationState.endsOfWork.randomElement(using: &random) ?? .failed
        let image = try await store.stage([UInt8(random.next() & 15)], mimeType: "image/png")
        _ = try await store.finish(
          Settlement(
            id: id, state: state, files: [GenerationFile(index: 0, source: .staged(image), width: 1, height: 1)],
            provider: [nil, "gemini", "ondevice"].randomElement(using: &random) ?? nil,
            usage: Usage(costUsd: Double(random.next() % 900) / 1_000),
            error: state == .failed ? AtelierError(.offline) : nil))
        ended.append(id)
      default:
        guard let id = ended.randomElement(using: &random) else { continue }
        ended.removeAll { $0 == id }
        _ = try await store.delete(.one(id, account: nil))
      }
      try await check(store, fixture, seed: seed, using: &random)
    }
    for account in ["anna", "bert"] as [AccountID] { _ = try await store.delete(.all(account: account)) }
    let left = try await store.number("SELECT count(*) FROM generation_sum")
    #expect(left == 0, "seed \(seed)")
  }

  @Test("the sums of history tell counts, costs and percentiles of the days asked for")
  func statistics() async throws {
    let fixture = try StoreFixture()
    let store = try await fixture.open()
    let today = fixture.clock.now.day
    for number in 1...20 {
      let id = try await store.begin(fixture.acceptance("anna", recipe: number > 15 ? .edit : .create))
      _ = try await store.finish(
        Settlement(
          id: id, state: number == 20 ? .failed : .succeeded, provider: "gemini",
          isCached: number == 19, usage: Usage(costUsd: 0.1), timings: Timings(totalMs: Int64(number)),
          error: number == 20 ? AtelierError(.offline) : nil))
      if number == 10 { fixture.clock.advance(by: 86_400_000) }
    }
    _ = try await store.begin(fixture.acceptance("anna"))
    let all = try await store.statistics(account: "anna", days: nil)
    #expect(all.counts.reduce(0) { $0 + $1.generations } == 20)
    #expect(all.counts.filter { $0.failure == "offline" }.map(\.state) == ["failed"])
    #expect(all.costByDay.map(\.day) == [today + 1, today] && all.costByDay.map(\.cost) == [1_000_000, 1_000_000])
    #expect(all.timings.map(\.totalMs).sorted() == Array(1...18), "not the failed one, not the cached one")
    let first = try await store.statistics(account: nil, days: today...today)
    #expect(first.counts.map(\.generations) == [10] && first.timings.count == 10)
    #expect(try await store.statistics(account: "bert", days: nil) == StoredStatistics())
  }
}

import AtelierProtocol
import Testing

@testable import Store

@Suite("Caps on history")
struct CapsTests {
  let fixture: StoreFixture
  init() throws { fixture = try StoreFixture() }

  /// Five generations a second apart, each with one image of ten bytes, oldest first.
  private func fill(_ store: Store) async throws -> [GenerationID] {
    var ids: [GenerationID] = []
    for number in 0..<5 as Range<UInt8> {
      let id = try await store.begin(fixture.acceptance())
      try await store.succeed(id, with: [UInt8](repeating: number, count: 10))
      ids.append(id)
      fixture.clock.advance(by: 1000)
    }
    return ids
  }

  private func left(in store: Store) async throws -> Set<GenerationID> {
    Set(try await store.history(HistoryFilter(), limit: 100).entries.map(\.id))
  }

  @Test(
    "caps by size forget the oldest until the rest fits, files too",
    arguments: [(50, 5), (49, 4), (20, 2), (9, 0), (0, 0)])
  func size(maximum: Int, kept: Int) async throws {
    let store = try await fixture.open()
    let ids = try await fill(store)
    let summary = try await store.enforce(HistoryLimits(maximumBytes: maximum))
    #expect(summary.deleted == 5 - kept && summary.bytesFreed == (5 - kept) * 10)
    #expect(try await left(in: store) == Set(ids.suffix(kept)))
    #expect(fixture.temporary.files(below: "data/artifacts").count == kept)
  }

  @Test("caps by age forget what was accepted longer ago", arguments: [(5000, 5), (4999, 4), (2500, 2), (999, 0)])
  func age(maximumMs: Int64, kept: Int) async throws {
    let store = try await fixture.open()
    let ids = try await fill(store)
    _ = try await store.enforce(HistoryLimits(maximumAgeMs: maximumMs))
    #expect(try await left(in: store) == Set(ids.suffix(kept)))
  }

  @Test("caps leave alone what has not ended, and everything when there are none")
  func leaveAlone() async throws {
    let store = try await fixture.open()
    let running = try await store.begin(fixture.acceptance())
    let ids = try await fill(store)
    #expect(try await store.enforce(HistoryLimits()).deleted == 0)
    _ = try await store.enforce(HistoryLimits(maximumAgeMs: 0, maximumBytes: 0))
    #expect(try await left(in: store) == [running])
    #expect(ids.count == 5)
  }
}

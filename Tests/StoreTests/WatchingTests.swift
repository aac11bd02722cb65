import AtelierProtocol
import StatementCounting
import Testing

@testable import Store

@Suite("Watching a generation of another process")
struct WatchingTests {
  private let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private func progress(of id: GenerationID, _ sequence: Int64) -> GenerationProgress {
    GenerationProgress(
      generationId: id, sequence: sequence, state: .running, phase: .processing, message: "Painting\u{0}…",
      fraction: 0.5, overall: 0.5, step: GenerationProgress.Step(index: 1, count: 4), elapsedMs: 7)
  }

  @Test("a watch is known to the process at work, and shows what it shares")
  func shared() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    let id = try await store.begin(fixture.acceptance())
    #expect(try await store.openGenerations() == OpenGenerations(all: [id]))
    // Nobody watches yet, so nothing is kept.
    try await store.note([:], sharing: [progress(of: id, 1)])
    let first = try #require(try await other.watch(id, wantsProgress: true))
    #expect(first.state == .running && first.process == store.process && first.progress == nil)
    #expect(try await store.openGenerations() == OpenGenerations(all: [id], watched: [id]))
    try await store.note([:], sharing: [progress(of: id, 2)])
    #expect(try await other.watch(id, wantsProgress: true)?.progress == progress(of: id, 2))
  }

  @Test("a watch lasts for seconds, unless it goes on; a clock that is put back does not make it longer")
  func expiry() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    let id = try await store.begin(fixture.acceptance())
    func isWatched() async throws -> Bool { try await store.openGenerations().watched == [id] }
    _ = try await other.watch(id, wantsProgress: true)
    fixture.clock.advance(by: Store.watchMs - 1)
    #expect(try await isWatched())
    _ = try await other.watch(id, wantsProgress: true)
    fixture.clock.advance(by: 2)
    #expect(try await isWatched())
    fixture.clock.advance(by: Store.watchMs)
    #expect(try await !isWatched())
    _ = try await other.watch(id, wantsProgress: true)
    fixture.clock.advance(by: -3_600_000)
    #expect(try await !isWatched())
    _ = try await other.watch(id, wantsProgress: true)
    #expect(try await isWatched())
  }

  @Test("watches write once in seconds, however many there are")
  func cheap() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    let id = try await store.begin(fixture.acceptance())
    _ = try await other.watch(id, wantsProgress: true)
    let commits = try other.watchCommits()
    for _ in 0..<20 { _ = try await other.watch(id, wantsProgress: true) }
    #expect(commits.commits == 0)
  }

  @Test("a watch asks for nothing where nothing is wanted, or nobody could share it")
  func unwanted() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    let id = try await store.begin(fixture.acceptance())
    _ = try await other.watch(id, wantsProgress: false)
    _ = try await store.watch(id, wantsProgress: true)
    #expect(try await store.openGenerations().watched == [])
    #expect(try await other.watch("gen_none", wantsProgress: true) == nil)
    #expect(try await watchers(store) == 0)
  }

  @Test("a watch ends with the generation, and with its deletion")
  func end() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    let ids = [try await store.begin(fixture.acceptance()), try await store.begin(fixture.acceptance())]
    for id in ids { _ = try await other.watch(id, wantsProgress: true) }
    #expect(try await watchers(store) == 2)
    _ = try await store.succeed(ids[0], with: [1])
    _ = try await other.cancel(ids[1], account: nil)
    #expect(try await watchers(store) == 0)
    #expect(try await other.watch(ids[0], wantsProgress: true)?.state == .succeeded)
    _ = try await other.delete(.one(ids[1], account: nil))
    #expect(try await other.watch(ids[1], wantsProgress: true) == nil)
    try await store.note([:], sharing: ids.map { progress(of: $0, 3) })
    #expect(try await watchers(store) == 0)
  }

  @Test("a watch forgets what the last process shared, once another one may take the generation")
  func takenOver() async throws {
    let other = try await fixture.open()
    let id = try await fixture.dying { store in
      let id = try await store.begin(fixture.acceptance(isRequeueable: true))
      _ = try await other.watch(id, wantsProgress: true)
      try await store.note([:], sharing: [progress(of: id, 4)])
      #expect(try await other.watch(id, wantsProgress: true)?.progress?.sequence == 4)
      #expect(try await store.release([id]) == [id])
      try await store.note([:], sharing: [progress(of: id, 5)])
      return id
    }
    let seen = try #require(try await other.watch(id, wantsProgress: true))
    #expect(seen.state == .queued && seen.process == .nobody && seen.progress == nil)
  }

  @Test("a watch of many takes one statement, and leaves out those that are deleted")
  func many() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    var ids: [GenerationID] = []
    for _ in 0..<20 { ids.append(try await store.begin(fixture.acceptance())) }
    let counter = StatementCounter()
    counter.attach(to: other)
    let seen = try await other.watched(ids + ["gen_none"])
    #expect(Set(seen.keys) == Set(ids) && seen.values.allSatisfy { $0.process == store.process })
    #expect(counter.statements.count == 1, "\(counter.statements)")
    try await other.noteWatching(of: ids)
    #expect(try await store.openGenerations().watched == Set(ids))
  }

  private func watchers(_ store: Store) async throws -> Int {
    try await store.number("SELECT count(*) FROM generation_watch")
  }
}

extension Store {
  /// What one watcher does at each look.
  func watch(_ id: GenerationID, wantsProgress: Bool) async throws -> WatchedGeneration? {
    let seen = try await watched([id])[id]
    if let seen, wantsProgress, mustNoteWatching(of: seen) { try await noteWatching(of: [id]) }
    return seen
  }
}

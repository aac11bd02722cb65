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
    #expect(try await store.news() == GenerationNews())
    // Nobody watches yet, so nothing is kept.
    try await store.note([:], sharing: [progress(of: id, 1)])
    let first = try #require(try await other.watch(id, wantsProgress: true))
    #expect(first.state == .running && first.process == store.process && first.progress == nil)
    #expect(try await store.news() == GenerationNews(watched: [id]))
    try await store.note([:], sharing: [progress(of: id, 2)])
    #expect(try await other.watch(id, wantsProgress: true)?.progress == progress(of: id, 2))
  }

  @Test("a watch lasts for seconds, unless it goes on; a clock that is put back does not make it longer")
  func expiry() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    let id = try await store.begin(fixture.acceptance())
    func isWatched() async throws -> Bool { try await store.news().watched == [id] }
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
    #expect(try await store.news().watched == [])
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
    #expect(try await store.news().watched == Set(ids))
  }

  @Test("a process hears of each of its generations that another one ends, in whatever way, until it has heard")
  func lost() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    let ids = [try await store.begin(fixture.acceptance()), try await store.begin(fixture.acceptance())]
    var late = fixture.acceptance()
    late.waiting = QueueEntry(
      provider: .gemini, deadline: fixture.clock.now.later(by: 10), attempts: 0, request: [:], inputs: [], message: "waits")
    _ = try await store.accept(late)
    let own = try await store.begin(fixture.acceptance())
    #expect(try await store.news() == GenerationNews())
    _ = try await other.cancel(ids[0], account: nil)
    _ = try await other.cancelUnlessWanted(ids[1])
    fixture.clock.advance(by: 10)
    #expect(try await other.expireWaiting().map(\.id) == [late.id])
    _ = try await store.cancel(own, account: nil)
    #expect(try await store.news().lost == Set(ids + [late.id]))
    #expect(try await other.news().lost == [])
    // One that is deleted is lost all the same.
    _ = try await other.delete(.one(ids[0], account: nil))
    #expect(try await store.news().lost == Set(ids + [late.id]))
    try await store.note([:], heard: Set(ids))
    #expect(try await store.news().lost == [late.id])
    #expect(try await store.openGenerations() == [])
  }

  @Test("a process hears of its own generation that has waited too long, which may have missed it on its way to the queue")
  func expiredHere() async throws {
    let store = try await fixture.open()
    var late = fixture.acceptance()
    late.waiting = QueueEntry(
      provider: .gemini, deadline: fixture.clock.now.later(by: 10), attempts: 0, request: [:], inputs: [], message: "waits")
    _ = try await store.accept(late)
    fixture.clock.advance(by: 10)
    #expect(try await store.expireWaiting().map(\.id) == [late.id])
    #expect(try await store.news().lost == [late.id])
  }

  @Test("a loss of what was lost before counts from now")
  func lostAgain() async throws {
    let (store, other) = (try await fixture.open(), try await fixture.open())
    let id = try await store.begin(fixture.acceptance())
    func lose() async throws {
      try await other.write { [process = store.process] in
        try other.noteLoss(of: [id], by: process, in: $0)
      }
    }
    try await lose()
    fixture.clock.advance(by: Store.lossMs - 1)
    try await lose()
    fixture.clock.advance(by: 1)
    try await other.tidy()
    #expect(try await other.number("SELECT count(*) FROM generation_loss") == 1)
  }

  @Test("a process that has died never hears, and what it has lost is forgotten after some minutes")
  func unheard() async throws {
    let other = try await fixture.open()
    _ = try await fixture.dying { store in
      _ = try await other.cancel(try await store.begin(fixture.acceptance()), account: nil)
    }
    fixture.clock.advance(by: Store.lossMs - 1)
    try await other.tidy()
    #expect(try await other.number("SELECT count(*) FROM generation_loss") == 1)
    fixture.clock.advance(by: 1)
    try await other.tidy()
    #expect(try await other.number("SELECT count(*) FROM generation_loss") == 0)
  }

  @Test("a look at a process's generations and at the queue reads as much, however many wait")
  func constant() async throws {
    func cost(of count: Int) async throws -> (statements: [String], rows: Int) {
      let fixture = try StoreFixture()
      let store = try await fixture.open()
      for number in 0..<count {
        var acceptance = fixture.acceptance(isRequeueable: true)
        if number % 2 == 0 {
          acceptance.waiting = QueueEntry(
            provider: .gemini, deadline: fixture.clock.now.later(by: 10_000), attempts: 0, request: [:], inputs: [],
            message: "waits")
        }
        _ = try await store.accept(acceptance)
      }
      let counter = StatementCounter()
      counter.attach(to: store)
      #expect(try await store.news() == GenerationNews())
      #expect(try await store.queueStateAndProcesses().state.providers == [.gemini])
      return (counter.statements, counter.rows)
    }
    let (few, many) = (try await cost(of: 2), try await cost(of: 100))
    #expect(few.statements == many.statements && few.rows == many.rows)
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

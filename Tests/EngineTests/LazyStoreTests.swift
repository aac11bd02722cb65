import AtelierProtocol
import ServiceFixture
import Store
import Support
import Synchronization
import Testing

@testable import Engine

@Suite("A store that is opened at its first use")
struct LazyStoreTests {
  @Test("the lazy store opens the store once, whether somebody waits for it or only has it begin")
  func once() async throws {
    let fixture = try ServiceFixture()
    let openings = Gate(isOpen: true)
    let lazyStore = LazyStore(uptimeMs: { 0 }) { begun in
      try await openings.pass()
      return try await Store.open(directory: fixture.directory, surroundings: fixture.storeSurroundings, begun: begun)
    }
    await lazyStore.beginOpening()
    await lazyStore.beginOpening()
    let store = try await lazyStore.store()
    #expect(try await lazyStore.store() === store)
    #expect(openings.arrivals == 1)
    await lazyStore.close()
  }

  @Test("the lazy store tells a failure to whoever wants the store, and tries again for the next")
  func failure() async throws {
    let fixture = try ServiceFixture()
    let tries = Gate(isOpen: true)
    let lazyStore = LazyStore(uptimeMs: { 0 }) { begun in
      try await tries.pass()
      guard tries.arrivals > 2 else { throw StoreError(.storageFull, "The disk is full.") }
      return try await Store.open(directory: fixture.directory, surroundings: fixture.storeSurroundings, begun: begun)
    }
    await lazyStore.beginOpening()
    let error = await #expect(throws: AtelierError.self) { try await lazyStore.store() }
    #expect(error?.kind == .storageFull)
    _ = try await lazyStore.store()
    await lazyStore.close()
  }

  @Test("a store that is opened again recovers again what dead processes have left meanwhile")
  func again() async throws {
    let fixture = try ServiceFixture()
    let lazyStore = LazyStore(uptimeMs: { 0 }) { begun in
      try await Store.open(directory: fixture.directory, surroundings: fixture.storeSurroundings, begun: begun)
    }
    let recovered = SharedState<[(count: Int, isFirst: Bool)]>([])
    lazyStore.reportRecovered { recovery, isFirst in
      recovered.change { $0.append((recovery.interrupted.count, isFirst)) }
    }
    // The folder is there before anybody dies in it.
    _ = try await lazyStore.store()
    await lazyStore.close()
    for number in 1...3 {
      for other in 0..<number { try await fixture.leaveRunning(for: AccountID(rawValue: "anna-\(number)-\(other)")) }
      _ = try await lazyStore.store()
      // What is left later is not looked for by each use.
      _ = try await lazyStore.store()
      #expect(recovered.value.count == number + 1)
      #expect(recovered.value.last?.count == number && recovered.value.last?.isFirst == true)
      await lazyStore.close()
    }
  }

  private final class Openings: Sendable {
    let count = Atomic<Int>(0)
  }

  @Test("a store that cannot be opened is tried anew by every use, but only after a pause by those that just tell of it")
  func pause() async throws {
    let openings = Openings()
    let lazyStore = LazyStore(uptimeMs: { 0 }) { _ in
      openings.count.add(1, ordering: .relaxed)
      throw StoreError(.storageFull, "The disk is full.")
    }
    func isOpened(_ use: () async throws -> Store) async -> Bool {
      let before = openings.count.load(ordering: .relaxed)
      let error = await #expect(throws: AtelierError.self) { _ = try await use() }
      #expect(error?.kind == .storageFull)
      return openings.count.load(ordering: .relaxed) > before
    }
    let first = Int64(RetryPauses.ofTheStore.fullMs(afterFailures: 1))
    #expect(await isOpened { try await lazyStore.store(ifDueAtMs: 0) })
    #expect(await !isOpened { try await lazyStore.store(ifDueAtMs: first - 1) })
    #expect(await isOpened { try await lazyStore.store() })
    #expect(await isOpened { try await lazyStore.store(ifDueAtMs: first) })
    #expect(await !isOpened { try await lazyStore.store(ifDueAtMs: 2 * first) })
    #expect(await isOpened { try await lazyStore.store(ifDueAtMs: 3 * first) })
  }

  @Test("an opening that was not answered refuses everybody at once for as long as it took")
  func silent() async throws {
    let (openings, clock) = (Openings(), ManualClock())
    let lazyStore = LazyStore(uptimeMs: { clock.uptimeMs }) { _ in
      openings.count.add(1, ordering: .relaxed)
      // The first is answered at once, the next after ten seconds.
      if openings.count.load(ordering: .relaxed) > 1 { clock.advance(by: .seconds(10)) }
      throw StoreError(.failed, "The server has not answered.")
    }
    func use() async -> Int {
      await #expect(throws: AtelierError.self) { _ = try await lazyStore.store() }
      return openings.count.load(ordering: .relaxed)
    }
    #expect(await use() == 1)
    #expect(await use() == 2)
    for _ in 0..<7 { #expect(await use() == 2) }
    clock.advance(by: .milliseconds(9_999))
    #expect(await use() == 2)
    clock.advance(by: .milliseconds(1))
    #expect(await use() == 3)
  }
}

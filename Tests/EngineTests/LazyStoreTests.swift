import AtelierProtocol
import ServiceFixture
import Store
import Synchronization
import Testing

@testable import Engine

@Suite("A store that is opened at its first use")
struct LazyStoreTests {
  @Test("the lazy store opens the store once, whether somebody waits for it or only has it begin")
  func once() async throws {
    let fixture = try ServiceFixture()
    let openings = Gate(isOpen: true)
    let lazyStore = LazyStore { begun in
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
    let lazyStore = LazyStore { begun in
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

  private final class Openings: Sendable {
    let count = Atomic<Int>(0)
  }

  @Test("a store that cannot be opened is tried anew by every use, but only after a pause by those that just tell of it")
  func pause() async throws {
    let openings = Openings()
    let lazyStore = LazyStore { _ in
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
}

import AtelierProtocol
import ServiceFixture
import Store
import Synchronization
import Testing

@testable import Engine

@Suite("A store that is opened at its first use")
struct LazyStoreTests {
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

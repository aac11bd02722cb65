import AtelierProtocol
import Support
import Synchronization
import Testing

@testable import Store

@Suite("Processes that die while they store and delete pictures in a bucket", .onlySQLite, .timeLimit(.minutes(10)))
struct BucketKillTests {
  private let fixture: StoreFixture
  private let storage = MemoryStorage()

  init() throws { fixture = try StoreFixture() }

  private func open(_ directory: DataDirectory, _ storage: MemoryStorage) async throws -> Store {
    try await Store.open(directory: directory, bucket: try storage.pictures(), surroundings: fixture.surroundings)
  }

  @Test("no row is without its object and no object without a row, wherever one dies", arguments: 0..<4 as Range<UInt64>)
  func anywhere(seed: UInt64) async throws {
    let copies = CrashCopies(of: fixture.directory)
    let moments = Mutex<[[String: [UInt8]]]>([])
    let random = Mutex(SplitMix64(seed: seed))
    // What a kill leaves before a request is served, and after it, with its answer lost.
    storage.decide { [storage] _, _ in
      moments.withLock { $0.append(storage.content) }
      copies.copy()
      return random.withLock { $0.next() % 4 } == 0 ? .loseAnswer : .serve
    }
    let store = try await open(fixture.directory, storage)
    var made: [GenerationID] = []
    for _ in 0..<16 {
      let bytes = [UInt8(random.withLock { $0.next() % 3 })]
      // With two answers lost one after the other, it fails.
      switch random.withLock({ $0.next() % 4 }) {
      case 0: if let id = made.popLast() { _ = try? await store.delete(.one(id, account: nil)) }
      case 1: if let staged = try? await store.stage(bytes, mimeType: "image/png") { await store.discard(staged) }
      default:
        guard let id = try? await store.begin(fixture.acceptance()) else { continue }
        if (try? await store.succeed(id, with: bytes)) != nil { made.append(id) }
      }
    }
    let paths = try copies.all()
    #expect(paths.count > 2 && paths.count == moments.withLock(\.count), "seed \(seed)")
    for (path, content) in zip(paths, moments.withLock(\.self)) {
      let left = MemoryStorage()
      left.set(content)
      try await look(into: path, left, seed: seed)
    }
  }

  /// What the next process finds.
  private func look(into path: String, _ left: MemoryStorage, seed: UInt64) async throws {
    let store = try await open(DataDirectory(path: path), left)
    let before = try await store.check()
    #expect(before.isSound, "seed \(seed), \(path): \(before.findings)")
    _ = try await store.recoverAndSweep()
    let after = try await store.check()
    #expect(after.findings.isEmpty, "seed \(seed), \(path): \(after.findings)")
    let rows = try await store.read { (session: any SQLSession) in try session.artifacts.names() }
    #expect(rows == left.names.filter { !$0.hasPrefix("trial") }, "seed \(seed), \(path)")
    await store.close()
  }
}

import AtelierProtocol
import Support
import Synchronization
import Testing

@testable import Store

@Suite("Processes that die while one puts and another deletes equal bytes", .onlySQLite, .timeLimit(.minutes(10)))
struct FileKillTests {
  /// Two processes, one of which does something at some steps of the other.
  private final class Scene: Sendable {
    let fixture: StoreFixture
    let copies: CrashCopies
    private let random: Mutex<SplitMix64>
    /// What can be deleted.
    private let ended = Mutex<[GenerationID]>([])

    init(seed: UInt64) throws {
      fixture = try StoreFixture(seed: seed)
      copies = CrashCopies(of: fixture.directory)
      random = Mutex(SplitMix64(seed: seed))
    }

    func draw(_ most: UInt64) -> UInt64 { random.withLock { $0.next() % most } }

    func open(_ reached: @escaping @Sendable (FileStep) -> Void) async throws -> Store {
      var surroundings = fixture.surroundings
      surroundings.reached = reached
      return try await fixture.open(with: surroundings)
    }

    func copyAtRandom() { if draw(3) == 0 { copies.copy() } }

    /// Few contents, so that results share files.
    func succeed(in store: Store) async throws {
      let id = try await store.begin(fixture.acceptance())
      try await store.succeed(id, with: [UInt8(draw(2))])
      ended.withLock { $0.append(id) }
    }

    func deleteOne(in store: Store) async throws {
      let place = draw(.max)
      let id = ended.withLock { $0.isEmpty ? nil : $0.remove(at: Int(place % UInt64($0.count))) }
      if let id { _ = try await store.delete(.one(id, account: nil)) }
    }
  }

  @Test("no row is without its file and no file without a row, wherever both die", arguments: 0..<6 as Range<UInt64>)
  func anywhere(seed: UInt64) async throws {
    let scene = try Scene(seed: seed)
    let deleter = try await scene.open { _ in scene.copyAtRandom() }
    let putter = try await scene.open { step in
      scene.copyAtRandom()
      // Neither can the other go on while this one has the lock on a name.
      guard step != .foundUnreferenced, step != .removed, scene.draw(3) == 0 else { return }
      Blocking.run {
        do { try await scene.deleteOne(in: deleter) } catch { Issue.record(error) }
      }
    }
    for _ in 0..<12 {
      switch scene.draw(4) {
      case 0: try await scene.deleteOne(in: putter)
      case 1: await putter.discard(try await putter.stage([UInt8(scene.draw(2))], mimeType: "image/png"))
      default: try await scene.succeed(in: putter)
      }
    }
    #expect(scene.copies.count > 4)
    for path in try scene.copies.all() { try await look(into: path, fixture: scene.fixture, seed: seed) }
    #expect(try await putter.check().findings.isEmpty, "seed \(seed)")
  }

  /// What the next process finds.
  private func look(into path: String, fixture: StoreFixture, seed: UInt64) async throws {
    let store = try await Store.open(directory: DataDirectory(path: path), surroundings: fixture.surroundings)
    let before = try await store.check()
    #expect(before.isSound, "seed \(seed), \(path): \(before.findings)")
    _ = try await store.recoverAndSweep()
    let after = try await store.check()
    #expect(after.findings.isEmpty, "seed \(seed), \(path): \(after.findings)")
    await store.close()
  }
}

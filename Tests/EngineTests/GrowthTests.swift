import AtelierProtocol
import POSIX
import Providers
import ServiceFixture
import Support
import Testing

@testable import Engine
@testable import Store

/// In a process of its own, because all that is allocated there is counted.
@Suite("A service that makes many pictures", .timeLimit(.minutes(10)))
struct GrowthTests {
  @Test("a service that makes many pictures keeps less than half a kilobyte of each in memory")
  func generations() async {
    await #expect(processExitsWith: .success) {
      // As many as take some seconds; a limit of each that was left behind would be 1,400 bytes.
      let (count, most) = (2_000, 1_000_000)
      let service = try GrowingService()
      try await service.make(500)
      let before = try await service.allocated()
      try await service.make(count)
      try await service.shrink()
      #expect(await AllocatedMemory.growth(since: before, atMost: most) <= most)
      await service.engine.leave(milliseconds: 120_000)
    }
  }
}

/// A service on the clock of the machine, without anything that a test keeps of it.
private struct GrowingService {
  let engine: Engine
  private let fixture: ServiceFixture

  init() throws {
    fixture = try ServiceFixture()
    let clock = SteppedClock()
    var surroundings = fixture.surroundings
    surroundings.sleep = { try await clock.sleep(for: $0) }
    engine = Engine(
      configuration: EngineConfiguration(), surroundings: surroundings, providers: ProviderRegistry([QuietProvider()]),
      keySetHTTP: NoNetwork(), credentials: fixture.credentials,
      lazyStore: LazyStore(uptimeMs: { 0 }) { [fixture] begun in
        try await Store.open(directory: fixture.directory, surroundings: fixture.storeSurroundings, begun: begun)
      },
      dataDirectory: fixture.directory.path, worker: try ServiceFixture.makeWorker(), announce: { _ in })
  }

  /// Makes generations, some at a time. Nothing of them is kept in files, which would take most of the time.
  func make(_ count: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        if number >= 32 { try await group.next() }
        group.addTask {
          let made = try await engine.generations.generate(
            .picture("picture \(number)", inline: true, private: true), for: Caller(requestID: .string("\(number)")))
          #expect(made.state == .succeeded)
        }
      }
      try await group.waitForAll()
    }
  }

  func allocated() async throws -> Int {
    try await shrink()
    return AllocatedMemory.bytes
  }

  /// Empties the caches of SQLite, whose sizes are limited.
  func shrink() async throws {
    let store = try await engine.lazyStore.store()
    let shrink: @Sendable (any SQLSession) throws -> Void = { _ = try $0.rows("PRAGMA shrink_memory", []) }
    try await store.write(shrink)
    try await store.read(shrink)
  }
}

private struct QuietProvider: ImageProvider {
  let id: ProviderID = "quiet"
  let maximumConcurrentImages = 32
  let profile = ProviderProfile(title: "Quiet", recipes: [.create], models: ["quiet-1"], isLocal: true, creditsPerImage: 0)

  func availability() async -> ProviderAvailability { ProviderAvailability(available: true) }

  func check(_ request: ImageRequest) throws(AtelierError) {}

  func makeImage(
    _ request: ImageRequest, progress: @escaping @Sendable (ImageProgress) -> Void
  ) async throws -> ProviderImage {
    progress(ImageProgress(phase: .processing, message: "Painting…"))
    return ProviderImage(bytes: [1, 2, 3], mimeType: "image/png", width: 1, height: 1, model: "quiet-1", usage: Usage())
  }
}

import AtelierProtocol
import Credentials
import CurlHTTP
import Engine
import Imaging
import Providers
import Store
import Support
import Synchronization

/// A data directory and any number of engines on it, as so many processes would have; one clock and one source of ids
/// for all.
public final class ServiceFixture: Sendable {
  public let temporary: TemporaryDirectory
  public let clock = ManualClock()
  private let counts = Mutex<[String: Int]>([:])

  public init() throws {
    temporary = try TemporaryDirectory()
  }

  public var directory: DataDirectory { DataDirectory(path: "\(temporary.path)/data") }

  /// `gen_1`, `gen_2`, …
  public func makeIdentifier(_ prefix: String) -> String {
    counts.withLock { counts in
      counts[prefix, default: 0] += 1
      return prefix + String(counts[prefix] ?? 0)
    }
  }

  public var surroundings: Surroundings {
    Surroundings(
      now: { [clock] in clock.now }, uptimeMs: { [clock] in clock.uptimeMs },
      makeIdentifier: { [self] in makeIdentifier($0) }, sleep: { [clock] in try await clock.sleep(for: $0) },
      random: { 7 })
  }

  /// Gives the store's waits for another writer their mean length: shorter ones end within a second, which a busy machine
  /// needs for a test that holds the write lock.
  private static let meanStep: UInt64 = 1_400

  public var storeSurroundings: StoreSurroundings {
    StoreSurroundings(
      now: { [clock] in clock.now }, makeIdentifier: { [self] in makeIdentifier($0) }, random: { Self.meanStep })
  }

  /// The API keys kept in this fixture's data directory; nothing of the machine's own environment or keyring.
  public var credentials: CredentialChain {
    CredentialChain(
      environment: CredentialEnvironment { _ in nil }, directory: directory.path,
      uptimeMs: { [clock] in clock.uptimeMs })
  }

  /// A worker of this build; each engine has its own, as each process does, for it ends with it. It may take as long as
  /// it needs: on a machine busy with other tests a picture can take more than its seconds.
  public static func makeWorker() throws -> ImagingWorker {
    ImagingWorker(executable: try ImagingWorker.locate(), clock: ManualClock().timer)
  }

  /// An engine on this fixture's data directory.
  /// - Parameters:
  ///   - disabled: the providers that the operator has disabled.
  ///   - order: the operator's order of providers.
  ///   - keySetHTTP: fetches the keys of issuers.
  ///   - opening: where the opening of the store waits, once it has begun.
  ///   - storage: where the pictures are; nil for a folder.
  ///   - announce: told what it announces, as well as the announcements that are kept.
  public func engine(
    _ providers: [any ImageProvider], geocoder: NominatimGeocoder? = nil, worker: ImagingWorker? = nil,
    configuration: EngineConfiguration = EngineConfiguration(), disabled: Set<ProviderID> = [],
    order: ProviderOrder = ProviderOrder(), keySetHTTP: any HTTPPerforming = NoNetwork(),
    opening: Gate = Gate(isOpen: true), storage: MemoryStorage? = nil,
    announce: @escaping @Sendable (Announcement) -> Void = { _ in }
  ) throws -> TestEngine {
    let announcements = Announcements()
    let lazyStore = LazyStore(uptimeMs: { [clock] in clock.uptimeMs }) { [directory, storeSurroundings] begun in
      begun()
      try await opening.pass()
      let bucket = try storage.map { storage in
        PictureBucket(
          bucket: try storage.bucket(), cacheBytes: 10_000_000, uptimeMs: { storage.uptime.load(ordering: .relaxed) },
          wait: { _ in await Task.yield() }, rest: storage.rest)
      }
      return try await Store.open(
        directory: directory, bucket: bucket, surroundings: storeSurroundings, creditRules: configuration.credits.rules)
    }
    let engine = Engine(
      configuration: configuration, surroundings: surroundings,
      providers: ProviderRegistry(providers, disabled: disabled, order: order), geocoder: geocoder,
      keySetHTTP: keySetHTTP, credentials: credentials, lazyStore: lazyStore, dataDirectory: directory.path,
      worker: try worker ?? Self.makeWorker()
    ) { announcement in
      announcements.record(announcement)
      announce(announcement)
    }
    return TestEngine(engine: engine, announcements: announcements, clock: clock)
  }
}

/// One engine, and what it announced.
public struct TestEngine: Sendable {
  public let engine: Engine
  public let announcements: Announcements
  public let clock: ManualClock

  public var generations: GenerationManager { engine.generations }

  /// `generate`, in a task of its own.
  public func generate(_ request: Generate, for caller: Caller = Caller()) -> Task<Generation, any Error> {
    Task { [generations] in try await generations.generate(request, for: caller) }
  }

  /// `cancel` by the generation's id.
  public func cancel(_ id: GenerationID, for caller: Caller = Caller()) async throws -> Generation {
    try await generations.cancel(Cancel(target: .id(id)), for: caller)
  }

  /// `status` of a generation.
  public func status(_ id: GenerationID) async throws -> Generation? {
    guard case .generation(let status) = try await engine.status(Status(target: .id(id)), for: Caller()) else {
      return nil
    }
    return status
  }

  /// What history says of a generation; nil when it knows none of that id.
  public func entry(_ id: GenerationID) async throws -> Generation? {
    try await engine.history(History(account: AccountID.everybody, limit: 100), for: Caller())
      .entries.first { $0.generationId == id }
  }

  /// What is recorded of a generation.
  public func row(_ id: GenerationID) async throws -> GenerationRow? {
    try await engine.lazyStore.store().generation(id, account: nil)
  }

  /// Ends in an orderly way, as a process does that has nothing left to do.
  public func leave() async { await engine.leave(milliseconds: 120_000) }
}

extension Generate {
  /// A request that needs no photo.
  public static func picture(
    _ prompt: String = "a lighthouse", count: Int? = nil, directory: String? = nil, inline: Bool? = nil,
    key: String? = nil, account: AccountID? = nil, detach: Bool? = nil, private isPrivate: Bool? = nil,
    timeoutMs: Int? = nil, provider: ProviderID? = nil, progress: Bool? = nil
  ) -> Generate {
    Generate(
      recipe: .create, prompt: prompt, output: Output(count: count, directory: directory, inline: inline),
      provider: provider.map { ProviderChoice($0) }, timeoutMs: timeoutMs, account: account, idempotencyKey: key,
      private: isPrivate, detach: detach, progress: progress)
  }
}

extension Generation {
  /// The generation, if it has ended without an error.
  public var result: Generation? { state.isFinal && error == nil ? self : nil }

  /// The generation, if it has only been accepted.
  public var acceptance: Generation? { state.isFinal ? nil : self }
}

import AtelierProtocol
import Credentials
import CurlHTTP
import Engine
import Glibc
import Imaging
import Logging
import POSIX
import Providers
import Store

/// Assembles the real parts: the clock, the random ids, the worker next to this executable, the data directory.
struct EngineAssembly: Sendable {
  let configuration: EngineConfiguration
  let directory: DataDirectory
  /// The database of several machines; nil for one in the data directory.
  let server: PostgreSQLServer?
  /// Where the pictures are; nil for a folder in the data directory.
  let bucket: BucketSettings?
  let worker: ImagingWorker
  let credentials: CredentialChain
  let providers: ProviderRegistry
  let geocoder: NominatimGeocoder?
  private let http: any HTTPPerforming
  private let logger: Logger

  /// - Throws: ``ConfigurationFailure`` when the configuration file cannot be used, `CommandFailure` when no data
  ///   location or no worker is found, or the environment has an invalid value.
  init(_ settings: CommonSettings) async throws {
    try await self.init(settings, ConfigurationSource(settings))
  }

  /// - Parameter source: the configuration, in place of the one that the settings name.
  /// - Throws: as ``init(_:)``.
  init(_ settings: CommonSettings, _ source: ConfigurationSource) async throws {
    logger = StandardErrorLog.logger(settings)
    configuration = try await source.locatingFaults { try await $0.engineConfiguration() }
    server = try await source.locatingFaults { try $0.store?.server() }
    bucket = try await source.locatingFaults { try $0.artifacts?.bucket() }
    let assembly = try await source.locatingFaults { try ProviderAssembly($0) }
    directory = try Self.dataDirectory(settings)
    credentials = Self.credentials(in: directory)
    do {
      worker = ImagingWorker(
        executable: try ImagingWorker.locate(), options: source.file.workerOptions,
        networks: NetworkCatalogue(path: directory.models),
        log: { [logger] in logger.error("\($0)") })
    } catch {
      throw CommandFailure(error)
    }
    providers = assembly.registry(worker: worker, keys: credentials)
    geocoder = assembly.geocoder
    http = assembly.http
  }

  /// The data directory.
  /// - Throws: `CommandFailure` when there is no location for it, or its path is not UTF-8.
  static func dataDirectory(_ settings: CommonSettings) throws -> DataDirectory {
    guard let path = try settings.dataDirectory ?? Environment.dataDirectory() else {
      throw CommandFailure(
        sentence: "There is no home directory to keep data in. Name a folder with --data-dir or ATELIER_DATA_DIR.",
        status: CommandFailure.dataDirectoryUnusable)
    }
    // A relative path is resolved against it.
    if !path.hasPrefix("/") { _ = try ForeignText.workingDirectory() }
    return DataDirectory(path: path)
  }

  /// The API keys, from this process's environment and from their stores.
  static func credentials(in directory: DataDirectory) -> CredentialChain {
    CredentialChain(
      environment: CredentialEnvironment(Environment.value(of:)), directory: directory.path,
      uptimeMs: uptimeMs)
  }

  /// - Parameters:
  ///   - storeOpened: called each time the data directory is opened, with the reason if it cannot be used.
  ///   - announce: receives progress and ends.
  func engine(
    storeOpened: @escaping @Sendable (StoreError?) -> Void = { _ in },
    announce: @escaping @Sendable (Announcement) -> Void
  ) -> Engine {
    engine(
      lazyStore: LazyStore(uptimeMs: Self.uptimeMs) { begun in
        do throws(StoreError) {
          let store = try await openStore(begun: begun)
          storeOpened(nil)
          return store
        } catch {
          storeOpened(error)
          throw error
        }
      }, announce: announce)
  }

  private func engine(lazyStore: LazyStore, announce: @escaping @Sendable (Announcement) -> Void) -> Engine {
    Engine(
      configuration: configuration, surroundings: surroundings, providers: providers, geocoder: geocoder,
      keySetHTTP: http, credentials: credentials, lazyStore: lazyStore, dataDirectory: directory.path,
      isOnServer: server != nil, worker: worker,
      announce: announce)
  }

  /// An engine whose data directory is already open: for commands, which report an unusable data directory to the
  /// operator with a separate exit status.
  /// - Throws: `StoreError`.
  func openedEngine(announce: @escaping @Sendable (Announcement) -> Void) async throws -> Engine {
    engine(lazyStore: LazyStore(try await openStore()), announce: announce)
  }

  /// - Parameter begun: as in `Store.open`.
  /// - Throws: `StoreError`.
  func openStore(begun: @escaping @Sendable () -> Void = {}) async throws(StoreError) -> Store {
    try await Store.open(
      directory: directory, server: server, bucket: try await bucket?.pictures(),
      surroundings: storeSurroundings, creditRules: configuration.credits.rules, begun: begun)
  }

  private var surroundings: Surroundings {
    Surroundings(
      now: Self.now, uptimeMs: Self.uptimeMs, makeIdentifier: Self.makeIdentifier,
      sleep: Self.sleep, random: Self.random, log: { [logger] in logger.warning("\($0)") })
  }

  private var storeSurroundings: StoreSurroundings { Self.storeSurroundings(logger) }

  static func storeSurroundings(_ logger: Logger) -> StoreSurroundings {
    StoreSurroundings(
      now: now, makeIdentifier: makeIdentifier, random: random,
      log: { isFault, line in logger.log(level: isFault ? .error : .info, "\(line)") })
  }

  @Sendable static func sleep(_ duration: Duration) async throws { try await SteppedClock().sleep(for: duration) }

  @Sendable private static func random() -> UInt64 { UInt64.random(in: .min ... .max) }

  @Sendable static func now() -> Timestamp {
    Timestamp(milliseconds: milliseconds(CLOCK_REALTIME))
  }

  @Sendable static func uptimeMs() -> Int64 { milliseconds(CLOCK_MONOTONIC) }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  @Sendable private static func makeIdentifier(_ prefix: String) -> String {
    prefix + ULID.text(milliseconds: milliseconds(CLOCK_REALTIME), random: random)
  }
}

extension EngineAssembly {
  /// Runs `work` with the store of the data directory that the options name, and closes the store.
  /// - Throws: `CommandFailure`.
  static func withStore<Value>(
    _ settings: CommonSettings, _ work: (Store) async throws -> Value
  ) async throws -> Value {
    do {
      return try await EngineAssembly(settings).withStore(work)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Runs `work` with an engine on the data directory that the options name, and closes it.
  /// - Throws: `CommandFailure`.
  static func withEngine<Value>(
    _ settings: CommonSettings, _ work: (Engine) async throws -> Value
  ) async throws -> Value {
    do {
      return try await EngineAssembly(settings).withEngine(work)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// The same about an account: `work` is given the one that acts today, if the one that is named was merged into it.
  /// - Throws: `CommandFailure`.
  static func withEngine<Value>(
    _ settings: CommonSettings, for account: AccountID, _ work: (Engine, AccountID) async throws -> Value
  ) async throws -> Value {
    try await withEngine(settings) { engine in
      try await work(engine, try await engine.lazyStore.store().presentAccount(of: account))
    }
  }

  /// The same with the store.
  /// - Throws: `CommandFailure`.
  static func withStore<Value>(
    _ settings: CommonSettings, for account: AccountID, _ work: (Store, AccountID) async throws -> Value
  ) async throws -> Value {
    try await withStore(settings) { store in try await work(store, try await store.presentAccount(of: account)) }
  }

  /// The account that acts today for one that a host is started for. If it cannot be known, whatever is done with the
  /// account says so.
  func presentAccount(of account: AccountID) async -> AccountID {
    guard account != .owner, server != nil || directory.hasDatabase else { return account }
    return (try? await withStore { try await $0.presentAccount(of: account) }) ?? account
  }

  /// Runs `work` with the store, and closes it: if a lock is left behind, the next process performs a recovery.
  func withStore<Value>(_ work: (Store) async throws -> Value) async throws -> Value {
    let store = try await openStore()
    do {
      let value = try await work(store)
      await store.close()
      return value
    } catch {
      await store.close()
      throw error
    }
  }

  /// Runs `work` with an engine whose data directory is open, and closes it at once.
  func withEngine<Value>(_ work: (Engine) async throws -> Value) async throws -> Value {
    let engine = try await openedEngine { _ in }
    do {
      let value = try await work(engine)
      await engine.leave(milliseconds: 0)
      return value
    } catch {
      await engine.leave(milliseconds: 0)
      throw error
    }
  }
}

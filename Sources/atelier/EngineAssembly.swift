import AtelierProtocol
import Credentials
import Engine
import Glibc
import Imaging
import Logging
import Providers
import Server
import Store

/// Puts the real parts together: the clock, the random ids, the worker beside this executable, the data directory.
struct EngineAssembly: Sendable {
  let configuration: EngineConfiguration
  let directory: DataDirectory
  let worker: ImagingWorker
  let credentials: CredentialChain
  let providers: ProviderRegistry
  private let logger: Logger

  /// - Throws: `CommandFailure` when the configuration cannot be read, or there is no place for data or no worker.
  init(_ settings: CommonSettings) async throws {
    logger = StandardErrorLog.logger(level: settings.logLevel)
    var file = ConfigurationFile()
    if let path = settings.config ?? Environment.value(of: "ATELIER_CONFIG") {
      file = try await ConfigurationFile.read(path)
    }
    configuration = try await file.engineConfiguration()
    directory = try Self.dataDirectory(settings)
    credentials = Self.credentials(in: directory)
    do {
      worker = ImagingWorker(executable: try ImagingWorker.locate())
    } catch {
      throw CommandFailure(error)
    }
    providers = try ProviderAssembly(file).registry(worker: worker, keys: credentials)
  }

  /// Where data are kept.
  /// - Throws: `CommandFailure` when there is no place for them.
  static func dataDirectory(_ settings: CommonSettings) throws -> DataDirectory {
    guard let path = settings.dataDirectory ?? Environment.dataDirectory else {
      throw CommandFailure(
        sentence: "There is no home directory to keep data in. Name a folder with --data-dir or ATELIER_DATA_DIR.",
        status: CommandFailure.dataDirectoryUnusable)
    }
    return DataDirectory(path: path)
  }

  /// The API keys, from this process's environment and from where they are kept.
  static func credentials(in directory: DataDirectory) -> CredentialChain {
    CredentialChain(
      environment: CredentialEnvironment(Environment.value(of:)), directory: directory.path,
      uptimeMs: { milliseconds(CLOCK_MONOTONIC) })
  }

  /// - Parameters:
  ///   - storeOpened: told each time the data directory is opened, with the reason when it cannot be used.
  ///   - announce: told progress and ends.
  func engine(
    storeOpened: @escaping @Sendable (StoreError?) -> Void = { _ in },
    announce: @escaping @Sendable (Announcement) -> Void
  ) -> Engine {
    engine(
      door: StoreDoor { begun in
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

  private func engine(door: StoreDoor, announce: @escaping @Sendable (Announcement) -> Void) -> Engine {
    Engine(
      configuration: configuration, surroundings: surroundings, providers: providers, credentials: credentials,
      door: door, dataDirectory: directory.path, worker: worker, announce: announce)
  }

  /// An engine whose data directory is open already: for commands, where one that cannot be used is the operator's
  /// matter, with a status of its own.
  /// - Throws: `StoreError`.
  func openedEngine(announce: @escaping @Sendable (Announcement) -> Void) async throws -> Engine {
    let store = try await openStore()
    let door = StoreDoor { _ in store }
    // From here on it is the door's to close, whether or not the command comes to use it.
    _ = try? await door.store()
    return engine(door: door, announce: announce)
  }

  /// - Parameter begun: as in `Store.open`.
  /// - Throws: `StoreError`.
  func openStore(begun: @escaping @Sendable () -> Void = {}) async throws(StoreError) -> Store {
    try await Store.open(
      directory: directory, surroundings: storeSurroundings, creditRules: configuration.credits.rules, begun: begun)
  }

  private var surroundings: Surroundings {
    Surroundings(
      now: Self.now, uptimeMs: { Self.milliseconds(CLOCK_MONOTONIC) }, makeIdentifier: Self.makeIdentifier,
      sleep: { try await Task.sleep(for: $0) }, random: Self.random, log: { [logger] in logger.warning("\($0)") })
  }

  private var storeSurroundings: StoreSurroundings {
    StoreSurroundings(
      now: Self.now, makeIdentifier: Self.makeIdentifier, random: Self.random,
      log: { [logger] isFault, line in logger.log(level: isFault ? .error : .info, "\(line)") })
  }

  @Sendable private static func random() -> UInt64 { UInt64.random(in: .min ... .max) }

  @Sendable private static func now() -> Timestamp {
    Timestamp(milliseconds: milliseconds(CLOCK_REALTIME))
  }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  @Sendable private static func makeIdentifier(_ prefix: String) -> String {
    prefix + ULID.text(milliseconds: milliseconds(CLOCK_REALTIME), random: random)
  }
}

import AtelierProtocol
import Credentials
import CurlHTTP
import Glibc
import Identities
import Imaging
import POSIX
import Providers
import Store
import Templates

/// The engine as the server and the command line use it: the generations and the parts they need.
public struct Engine: Sendable {
  public let configuration: EngineConfiguration
  public let surroundings: Surroundings
  public let providers: ProviderRegistry
  /// The API keys of the providers.
  public let credentials: CredentialChain
  public let lazyStore: LazyStore
  public let worker: ImagingWorker
  public let monitor: ProviderMonitor
  public let generations: GenerationManager
  let parts: EngineParts
  let healthMemory: HealthMemory
  /// Verifies identity tokens; nil when the operator configured no issuer.
  let identities: IdentityVerifier?
  let templates: ReloadingTemplates
  /// The directory of history and pictures.
  public let dataDirectory: String
  /// Whether history and ledger are in a database on a server.
  private let isOnServer: Bool
  let startedAtMs: Int64

  /// - Parameters:
  ///   - geocoder: looks places up; nil when the operator configured none.
  ///   - keySetHTTP: fetches the keys of the issuers of identity tokens.
  ///   - isOnServer: whether history and ledger are in a database on a server.
  ///   - announce: receives progress and ends, in order; must not block.
  public init(
    configuration: EngineConfiguration, surroundings: Surroundings, providers: ProviderRegistry,
    geocoder: NominatimGeocoder? = nil, keySetHTTP: any HTTPPerforming,
    credentials: CredentialChain, lazyStore: LazyStore, dataDirectory: String, isOnServer: Bool = false,
    worker: ImagingWorker,
    announce: @escaping @Sendable (Announcement) -> Void
  ) {
    self.configuration = configuration
    self.surroundings = surroundings
    self.providers = providers
    self.credentials = credentials
    identities = configuration.issuers.isEmpty
      ? nil : IdentityVerifier(configuration.issuers, http: keySetHTTP, cache: lazyStore)
    self.lazyStore = lazyStore
    self.worker = worker
    self.dataDirectory = dataDirectory
    self.isOnServer = isOnServer
    monitor = ProviderMonitor(
      registry: providers, lazyStore: lazyStore, surroundings: surroundings, cooldownMs: configuration.cooldownMs,
      announce: announce)
    templates = ReloadingTemplates(folder: DataDirectory(path: dataDirectory).templates, log: surroundings.log)
    parts = EngineParts(
      configuration: configuration, surroundings: surroundings, providers: providers, geocoder: geocoder, monitor: monitor,
      lazyStore: lazyStore,
      templates: templates, worker: worker, announce: announce)
    generations = GenerationManager(parts)
    healthMemory = HealthMemory(surroundings)
    lazyStore.reportRecovered(to: { [weak generations] in await generations?.recovered($0, isFirst: $1) })
    startedAtMs = surroundings.uptimeMs()
  }

  /// The recipes that some provider here can make.
  public var servedRecipes: [Recipe] {
    Recipe.allCases.filter { recipe in providers.all.contains { $0.profile.recipes.contains(recipe) } }
  }

  /// Call this in a process that serves a host: from here on it also starts generations of the offline queue
  /// and keeps the data directory clean. Other processes do only what they are asked for.
  public func serve() async {
    await generations.serve { await hasDatabase }
  }

  /// Whether anything may be on record.
  var hasDatabase: Bool {
    get async {
      if isOnServer { return true }
      let database = DataDirectory(path: dataDirectory).database
      return (try? await LazyThreadPool.shared.run { access(database, F_OK) == 0 }) ?? false
    }
  }

  /// Lets everything end, for at most `milliseconds`, then releases the worker and the data directory.
  public func leave(milliseconds: Int) async {
    await generations.leave(milliseconds: milliseconds)
    await monitor.stop()
    await worker.shutDown()
    await lazyStore.close()
  }
}

extension AtelierError {
  /// The refusal of a name that is not a customer's on a connection that serves many accounts.
  public static func reservedAccount(_ named: AccountID?) -> AtelierError {
    let name = named.map { "The account “\($0)” is reserved" } ?? "The request names no account"
    return AtelierError(
      .permissionDenied,
      hint: "\(name): this service was started with --multi-account. Name the account of a customer.")
  }

  /// The error for a caller, whatever was thrown below.
  public init(wrapping error: any Error) {
    switch error {
    case let error as AtelierError: self = error
    case let error as StoreError: self = error.atelierError
    case let error as ImagingError: self.init(error.kind, error.sentence, details: error.details)
    default: self.init(.internal)
    }
  }

  /// The same error with the id of its generation.
  func about(_ id: GenerationID) -> AtelierError {
    var error = self
    error.generationId = id
    return error
  }
}

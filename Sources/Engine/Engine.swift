import AtelierProtocol
import Credentials
import Glibc
import Imaging
import JSON
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
  let templates: ReloadingTemplates
  /// The directory of history and pictures.
  public let dataDirectory: String
  let startedAtMs: Int64

  /// - Parameters:
  ///   - geocoder: looks places up; nil when the operator configured none.
  ///   - announce: receives progress and ends, in order; must not block.
  public init(
    configuration: EngineConfiguration, surroundings: Surroundings, providers: ProviderRegistry,
    geocoder: NominatimGeocoder? = nil,
    credentials: CredentialChain, lazyStore: LazyStore, dataDirectory: String, worker: ImagingWorker,
    announce: @escaping @Sendable (Announcement) -> Void
  ) {
    self.configuration = configuration
    self.surroundings = surroundings
    self.providers = providers
    self.credentials = credentials
    self.lazyStore = lazyStore
    self.worker = worker
    self.dataDirectory = dataDirectory
    monitor = ProviderMonitor(
      registry: providers, lazyStore: lazyStore, surroundings: surroundings, cooldownMs: configuration.cooldownMs,
      announce: announce)
    templates = ReloadingTemplates(folder: DataDirectory(path: dataDirectory).templates, log: surroundings.log)
    parts = EngineParts(
      configuration: configuration, surroundings: surroundings, providers: providers, geocoder: geocoder, monitor: monitor,
      lazyStore: lazyStore,
      templates: templates, worker: worker, announce: announce)
    generations = GenerationManager(parts)
    lazyStore.reportSettled(to: { [weak generations] in await generations?.settled($0, isFirst: $1) })
    startedAtMs = surroundings.uptimeMs()
  }

  /// The recipes that some provider here can make.
  public var servedRecipes: [Recipe] {
    Recipe.allCases.filter { recipe in providers.all.contains { $0.profile.recipes.contains(recipe) } }
  }

  /// Call this in a process that serves a host: from here on it also starts unowned generations of the offline queue
  /// and keeps the data directory clean. Other processes do only what they are asked for.
  public func serve() async {
    let database = DataDirectory(path: dataDirectory).database
    await generations.serve {
      (try? await LazyThreadPool.shared.run { access(database, F_OK) == 0 }) ?? false
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

/// A notification that the engine sends to the host.
public enum Announcement: Sendable {
  case progress(GenerationProgress, of: AccountID)
  /// The end of a detached generation, to the process that started it.
  case finished(Generation, of: AccountID)
  /// The balance of a metered account has changed.
  case creditsChanged(CreditsChanged)
  /// A provider became available or unavailable; sent whatever the account.
  case providerChanged(ProviderChanged)
}

/// The caller on whose behalf a request is made.
public struct Caller: Sendable {
  /// The account the connection is confined to; nil for a host trusted to act for any.
  public var confinedTo: AccountID?
  /// Whether the host's files are limited to the folders in the configuration; so it is on every connection that is
  /// confined to an account.
  public var isConfined: Bool
  /// Whether the host may grant and revoke credits.
  public var isTrusted: Bool
  /// Whether the host passes on the names of its customers: none of them has a meaning of its own, and reading about one
  /// does not make an account.
  public var servesManyAccounts: Bool
  /// The id of the JSON-RPC request, repeated in progress notifications.
  public var requestID: JSONValue?
  /// Whether progress is wanted when a request does not say.
  public var wantsProgress: Bool
  /// Answers lookups of places; nil when the host does not.
  public var locationSource: (any LocationSource)?
  /// The arrival of a request with an idempotency key.
  public var arrival: Arrival?

  public init(
    confinedTo: AccountID? = nil, isConfined: Bool = false, isTrusted: Bool = false,
    servesManyAccounts: Bool = false, requestID: JSONValue? = nil, wantsProgress: Bool = true,
    locationSource: (any LocationSource)? = nil
  ) {
    self.locationSource = locationSource
    self.confinedTo = confinedTo
    self.isConfined = isConfined || confinedTo != nil
    self.isTrusted = isTrusted && !self.isConfined
    self.servesManyAccounts = servesManyAccounts
    self.requestID = requestID
    self.wantsProgress = wantsProgress
  }

  /// Whether an account that is only read about exists from there on.
  public var registersAccounts: Bool { !servesManyAccounts }

  /// The account to act for.
  /// - Throws: `permission_denied` when `named` is not the one this connection is confined to; on a connection that serves
  ///   many accounts, for `owner` and where no account is named.
  public func account(naming named: AccountID?) throws(AtelierError) -> AccountID {
    guard let confinedTo else {
      let account = named ?? .owner
      if servesManyAccounts, account == .owner || account == .everybody { throw .reservedAccount(named) }
      return account
    }
    guard named == nil || named == confinedTo else {
      throw AtelierError(
        .permissionDenied,
        "This connection may act for one account only. Leave `account` out, or connect anew.")
    }
    return confinedTo
  }

  /// The account to report on; nil for all accounts, if `*` is named and allowed.
  /// - Throws: `permission_denied`, as ``account(naming:)``.
  public func accountOrEverybody(naming named: AccountID?) throws(AtelierError) -> AccountID? {
    if named == AccountID.everybody, confinedTo == nil, !servesManyAccounts { return nil }
    return try account(naming: named)
  }

  /// The account whose generations are visible: nil means any, on a connection that serves one account.
  /// - Throws: `permission_denied`, as ``account(naming:)``.
  public func visibleAccount(naming named: AccountID?) throws(AtelierError) -> AccountID? {
    if confinedTo == nil, !servesManyAccounts { return named }
    return try account(naming: named)
  }
}

extension AtelierError {
  /// The refusal of a name that is not a customer's on a connection that serves many accounts.
  public static func reservedAccount(_ named: AccountID?) -> AtelierError {
    let name = named.map { "The account “\($0)” is reserved" } ?? "The request names no account"
    return AtelierError(
      .permissionDenied,
      "\(name): this service was started with --multi-account. Name the account of a customer.")
  }

  /// The error for a caller, whatever was thrown below.
  public init(wrapping error: any Error) {
    switch error {
    case let error as AtelierError: self = error
    case let error as StoreError: self = error.atelierError
    case let error as ImagingError: self.init(error.kind, error.message, details: error.details)
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

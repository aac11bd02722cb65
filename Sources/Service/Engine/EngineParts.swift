import AtelierProtocol
import Imaging
import Providers
import Store
import Templates

/// The immutable parts that the owners of the engine's state share.
struct EngineParts: Sendable {
  let configuration: EngineConfiguration
  let surroundings: Surroundings
  let providers: ProviderRegistry
  /// Looks places up; nil when the operator configured none.
  let geocoder: NominatimGeocoder?
  let monitor: ProviderMonitor
  let lazyStore: LazyStore
  let templates: ReloadingTemplates
  let intake: PhotoIntake
  let worker: ImagingWorker
  /// How far the process is on its way out.
  let leaving = LeavingProgress()
  /// Lets work be tried again that the store cannot do now.
  let storeRetries: StoreRetries
  /// Notifies hosts of balances that this process has changed.
  let balances: BalanceNotifier
  /// Receives progress and ends, in order; must not block.
  let announce: @Sendable (Announcement) -> Void

  init(
    configuration: EngineConfiguration, surroundings: Surroundings, providers: ProviderRegistry,
    geocoder: NominatimGeocoder?, monitor: ProviderMonitor, lazyStore: LazyStore, templates: ReloadingTemplates,
    worker: ImagingWorker,
    announce: @escaping @Sendable (Announcement) -> Void
  ) {
    self.configuration = configuration
    self.surroundings = surroundings
    self.providers = providers
    self.geocoder = geocoder
    self.monitor = monitor
    self.lazyStore = lazyStore
    self.templates = templates
    self.worker = worker
    self.announce = announce
    intake = PhotoIntake(
      photos: PhotoSource(
        lazyStore: lazyStore, maximumBytes: configuration.maximumImageBytes, readable: configuration.access.read),
      worker: worker)
    storeRetries = StoreRetries(surroundings, heartbeatInterval: configuration.heartbeatInterval)
    balances = BalanceNotifier(lazyStore: lazyStore, announce: announce)
  }

  /// The folder into which a generation's pictures are copied; nil if the request names none.
  func outputDirectory(of request: Generate, isConfined: Bool) -> OutputDirectory? {
    request.output?.directory.map {
      OutputDirectory(path: $0, within: isConfined ? configuration.access.write : nil)
    }
  }

  /// The interval of the heartbeat: half of the longest silence, so that no silence exceeds it.
  var heartbeatInterval: Duration { configuration.heartbeatInterval }

  /// Repeats what fails because of the machine or a busy database until it succeeds, one at a time with everything else that
  /// fails so: paid pictures are not discarded because of a disk.
  /// - Parameter id: the generation whose pictures are handed over when its request ends, if it is for one.
  /// - Throws: any other error at once, and this one once the process leaves or that generation is given up;
  ///   `CancellationError` when the task is cancelled.
  func persistently<Value>(for id: GenerationID? = nil, _ work: () async throws -> Value) async throws -> Value {
    var mayTry = false
    while true {
      do {
        let value = try await work()
        if mayTry { await storeRetries.tried(hasSucceeded: true) }
        return value
      } catch let error as AtelierError where error.isOfTheStoreForNow {
        if mayTry { await storeRetries.tried(hasSucceeded: false) }
        mayTry = false
        mayTry = try await storeRetries.waitToTry(for: id)
        if !mayTry { throw error }
      } catch {
        if mayTry { await storeRetries.tried(hasSucceeded: nil) }
        throw error
      }
    }
  }
}

extension AtelierError {
  /// Whether it is the store that cannot do it, and may later.
  var isOfTheStoreForNow: Bool { kind.consequences.isOfTheStore && retryable != false }
}

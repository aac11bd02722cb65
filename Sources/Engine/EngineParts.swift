import AtelierProtocol
import Imaging
import Providers
import Store
import Templates

/// What the owners of the engine's state share. None of it changes.
struct EngineParts: Sendable {
  let configuration: EngineConfiguration
  let surroundings: Surroundings
  let providers: ProviderRegistry
  let monitor: ProviderMonitor
  let door: StoreDoor
  let templates: TemplateShelf
  let intake: PhotoIntake
  let worker: ImagingWorker
  /// Tells hosts what an account has to spend when this process has changed it.
  let balances: BalanceNotifier
  /// Told progress and ends, in order; must not block.
  let announce: @Sendable (Announcement) -> Void

  init(
    configuration: EngineConfiguration, surroundings: Surroundings, providers: ProviderRegistry,
    monitor: ProviderMonitor, door: StoreDoor, templates: TemplateShelf, worker: ImagingWorker,
    announce: @escaping @Sendable (Announcement) -> Void
  ) {
    self.configuration = configuration
    self.surroundings = surroundings
    self.providers = providers
    self.monitor = monitor
    self.door = door
    self.templates = templates
    self.worker = worker
    self.announce = announce
    intake = PhotoIntake(
      photos: PhotoSource(door: door, maximumBytes: configuration.maximumImageBytes), worker: worker)
    balances = BalanceNotifier(door: door, announce: announce)
  }

  /// Half of the longest silence: looking twice in that time, no silence gets longer than it.
  var beat: Duration { .milliseconds(configuration.heartbeatMs / 2) }

  /// Repeats what a full disk or a busy database refuses, once a beat, until it is done: pictures that were paid for are
  /// not thrown away for want of room.
  /// - Throws: any other error at once; `CancellationError` when the task is cancelled.
  func persistently<Value>(_ work: () async throws -> Value) async throws -> Value {
    while true {
      do {
        return try await work()
      } catch let error as AtelierError where error.isOfTheStoreForNow {
        try await surroundings.sleep(beat)
      }
    }
  }
}

extension AtelierError {
  /// Whether the store could not do it now and may later: no room on the disk, or another process writes.
  var isOfTheStoreForNow: Bool { kind == .storageFull || kind == .overloaded }
}

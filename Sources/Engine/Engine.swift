import AtelierProtocol
import Credentials
import Imaging
import Providers
import Store

/// The engine as the server and the command line see it: the sessions, and what they are made of.
public struct Engine: Sendable {
  public let configuration: EngineConfiguration
  public let surroundings: Surroundings
  public let providers: ProviderRegistry
  /// The API keys of the providers.
  public let credentials: CredentialChain
  public let door: StoreDoor
  public let worker: ImagingWorker
  public let monitor: ProviderMonitor
  public let sessions: SessionManager
  let templates: TemplateShelf
  /// Where history and pictures are kept.
  public let dataDirectory: String
  let startedAtMs: Int64

  /// - Parameter announce: told progress and ends, in order; must not block.
  public init(
    configuration: EngineConfiguration, surroundings: Surroundings, providers: ProviderRegistry,
    credentials: CredentialChain, door: StoreDoor, dataDirectory: String, worker: ImagingWorker,
    announce: @escaping @Sendable (Announcement) -> Void
  ) {
    self.configuration = configuration
    self.surroundings = surroundings
    self.providers = providers
    self.credentials = credentials
    self.door = door
    self.worker = worker
    self.dataDirectory = dataDirectory
    monitor = ProviderMonitor(
      registry: providers, door: door, surroundings: surroundings, cooldownMs: configuration.cooldownMs,
      announce: announce)
    templates = TemplateShelf(folder: DataDirectory(path: dataDirectory).templates, log: surroundings.log)
    sessions = SessionManager(
      configuration: configuration, surroundings: surroundings, providers: providers, monitor: monitor, door: door,
      templates: templates, worker: worker, announce: announce)
    startedAtMs = surroundings.uptimeMs()
  }

  /// The recipes that some provider here can make.
  public var servedRecipes: [Recipe] {
    Recipe.allCases.filter { recipe in providers.all.contains { $0.profile.recipes.contains(recipe) } }
  }

  /// Lets everything end, for at most `milliseconds`, then lets go of the worker and the data directory.
  public func leave(milliseconds: Int) async {
    await sessions.drain(milliseconds: milliseconds)
    await monitor.stop()
    await worker.shutDown()
    await door.close()
  }
}

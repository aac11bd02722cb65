/// How the service is.
public struct ServiceStatus: Codable, Sendable, Equatable {
  /// The version of the program.
  public var version: String
  /// Milliseconds since the process started.
  public var uptimeMs: Int64
  /// Generations this process works on.
  public var inFlight: Int
  /// Generations of this process that wait.
  public var queued: Int
  /// Every provider of this service.
  public var providers: [ProviderStatus]
  /// The database of history and queue.
  public var store: StoreHealth
  /// Counted since the process started.
  public var counters: Counters
  /// Resident memory of this process.
  public var memoryBytes: Int

  public init(
    version: String, uptimeMs: Int64, inFlight: Int, queued: Int, providers: [ProviderStatus], store: StoreHealth,
    counters: Counters, memoryBytes: Int
  ) {
    self.version = version
    self.uptimeMs = uptimeMs
    self.inFlight = inFlight
    self.queued = queued
    self.providers = providers
    self.store = store
    self.counters = counters
    self.memoryBytes = memoryBytes
  }

  /// How the history database is.
  public struct StoreHealth: Codable, Sendable, Equatable {
    /// The data directory.
    public var path: String
    /// The version of the database's tables; 0 while it has not been opened.
    public var schemaVersion: Int
    /// False when it could not be opened or written to.
    public var healthy: Bool
    /// Why the machine's clock is not believed; only while it is not.
    public var clockDoubt: ClockDoubt?

    public init(path: String, schemaVersion: Int, healthy: Bool, clockDoubt: ClockDoubt? = nil) {
      self.path = path
      self.schemaVersion = schemaVersion
      self.healthy = healthy
      self.clockDoubt = clockDoubt
    }
  }

  /// Why the machine's clock is not believed.
  public struct ClockDoubt: Codable, Sendable, Equatable {
    /// What it says.
    public var now: Timestamp
    /// The latest time on record that was believed.
    public var latest: Timestamp
    /// What is so, what follows, and what an operator can do.
    public var message: String

    public init(now: Timestamp, latest: Timestamp, message: String) {
      self.now = now
      self.latest = latest
      self.message = message
    }
  }

  /// Generations of this process by how they ended; more members may come.
  public struct Counters: Codable, Sendable, Equatable {
    /// All that were accepted.
    public var accepted: Int
    /// Delivered every picture.
    public var succeeded: Int
    /// Delivered some of the pictures.
    public var partial: Int
    /// Ended with an error.
    public var failed: Int
    /// Cancelled before they ended.
    public var cancelled: Int
    /// Answered from an identical earlier result.
    public var cached: Int

    public init(
      accepted: Int = 0, succeeded: Int = 0, partial: Int = 0, failed: Int = 0, cancelled: Int = 0, cached: Int = 0
    ) {
      self.accepted = accepted
      self.succeeded = succeeded
      self.partial = partial
      self.failed = failed
      self.cancelled = cancelled
      self.cached = cached
    }
  }
}

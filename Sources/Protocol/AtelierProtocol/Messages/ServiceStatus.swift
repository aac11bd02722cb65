/// The state of the service.
public struct ServiceStatus: Codable, Sendable, Equatable {
  /// The version of the service.
  public var version: String
  /// Milliseconds since the process started.
  public var uptimeMs: Int64
  /// The number of generations that this process works on.
  public var inFlight: Int
  /// The number of generations of this process that wait.
  public var queued: Int
  /// Every provider of the service.
  public var providers: [ProviderStatus]
  /// The database of history and queue.
  public var store: StoreHealth
  /// Counts since the process started.
  public var counters: Counters
  /// The resident memory of this process, in bytes.
  public var memoryBytes: Int
  /// How the process that decodes pictures is confined; absent before the first one has started.
  public var confinement: WorkerConfinement?
  /// The metrics in the text format of Prometheus, version 0.0.4, if the request asks for them: of this process and of the
  /// data directory, which all its processes share.
  public var metrics: String?

  public init(
    version: String, uptimeMs: Int64, inFlight: Int, queued: Int, providers: [ProviderStatus], store: StoreHealth,
    counters: Counters, memoryBytes: Int, confinement: WorkerConfinement? = nil, metrics: String? = nil
  ) {
    self.version = version
    self.uptimeMs = uptimeMs
    self.inFlight = inFlight
    self.queued = queued
    self.providers = providers
    self.store = store
    self.counters = counters
    self.memoryBytes = memoryBytes
    self.confinement = confinement
    self.metrics = metrics
  }

  /// The state of the database.
  public struct StoreHealth: Codable, Sendable, Equatable {
    /// The data directory; absent on a confined connection.
    @HostPath public var path: String?
    /// The version of the database's schema; 0 until the database is opened.
    public var schemaVersion: Int
    /// False if the database or the folder of the pictures cannot be opened or written to, is no longer the one that
    /// was opened, or an audit of the credits found an error. While nothing can be written, requests are refused before
    /// a provider is asked; asking for the status also tries whether that is over.
    public var healthy: Bool
    /// Why it is not healthy, and what to do; absent while it is. A database that does not answer is not waited for.
    public var problem: String?
    /// How old this is, in milliseconds; present only while the database does not answer and this was known last.
    public var ageMs: Int64?
    /// Why the machine's clock is not trusted; absent while it is trusted.
    public var clockDoubt: ClockDoubt?
    /// How many pictures are still in the operator's bucket although they were deleted or not needed, because it could not
    /// be reached; absent while there are none. A service that runs removes them as soon as the bucket answers.
    public var unfinishedDeletions: Int?

    public init(
      path: String?, schemaVersion: Int, healthy: Bool, problem: String? = nil, ageMs: Int64? = nil,
      clockDoubt: ClockDoubt? = nil, unfinishedDeletions: Int? = nil
    ) {
      self.path = path
      self.schemaVersion = schemaVersion
      self.healthy = healthy
      self.problem = problem
      self.ageMs = ageMs
      self.clockDoubt = clockDoubt
      self.unfinishedDeletions = unfinishedDeletions
    }
  }

  /// Why the machine's clock is not trusted.
  public struct ClockDoubt: Codable, Sendable, Equatable {
    /// The time that the clock shows.
    public var now: Timestamp
    /// The latest trusted time on record.
    public var latest: Timestamp
    /// What is wrong, what follows from it, and what an operator can do.
    public var message: String

    public init(now: Timestamp, latest: Timestamp, message: String) {
      self.now = now
      self.latest = latest
      self.message = message
    }
  }

  /// Numbers of generations of this process, by how they ended; members may be added.
  public struct Counters: Codable, Sendable, Equatable {
    /// Accepted.
    public var accepted: Int
    /// Ended with every picture.
    public var succeeded: Int
    /// Ended with some of the pictures.
    public var partial: Int
    /// Ended with an error.
    public var failed: Int
    /// Cancelled.
    public var cancelled: Int
    /// Answered with an identical earlier result.
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

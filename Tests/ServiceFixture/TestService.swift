import Engine
import Glibc
import Imaging
import JSONRPC
import Logging
import Providers
import Server
import Synchronization

/// The whole service but its executable, with a host at its other end.
public struct TestService: Sendable {
  public let host: TestHost
  public let engine: TestEngine
  /// The status the process would have ended with because of `exit`, once it was received.
  public let exitStatus: ExitStatus
  private let connection: HostConnection
  private let life: Task<ConnectionEnd, Never>

  /// What connects the two.
  public enum Medium: Sendable {
    case memory, pipes
  }

  init(
    _ medium: Medium, framing: Framing, limits: ConnectionLimits, rights: ConnectionRights, choice: FramingChoice,
    makeEngine: (@escaping @Sendable (Announcement) -> Void) throws -> TestEngine
  ) throws {
    let (mine, theirs) = try Self.connect(medium)
    let exitStatus = ExitStatus()
    let announcing = Mutex<(@Sendable (Announcement) -> Void)?>(nil)
    // The engine is made first, because making it can fail.
    let engine = try makeEngine { announcement in announcing.withLock { $0 }?(announcement) }
    connection = HostConnection(
      transport: mine, framing: choice, limits: limits, rights: rights, trace: nil,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
      makeEngine: { announce in
        announcing.withLock { $0 = announce }
        return engine.engine
      },
      exit: { status in exitStatus.set(status) })
    self.engine = engine
    self.exitStatus = exitStatus
    host = TestHost(theirs, framing: framing)
    life = Task { [connection] in await connection.run() }
  }

  /// Waits for the end of the connection.
  public func end() async -> ConnectionEnd { await life.value }

  /// Ends the connection for a reason that is not in its input.
  public func stop(_ reason: ConnectionEnd) { connection.stop(reason) }

  private static func connect(_ medium: Medium) throws -> (any Transport, any Transport) {
    switch medium {
    // Room for the longest line: a test that waits for room would keep a thread from the service it waits for.
    case .memory: return InMemoryTransport.pair(capacity: 1 << 20)
    case .pipes:
      let (there, back) = (try pipe(), try pipe())
      return (
        try StdioTransport(input: there.reading, output: back.writing, ownsDescriptors: true),
        try StdioTransport(input: back.reading, output: there.writing, ownsDescriptors: true)
      )
    }
  }

  private static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw PipeFailure(code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  struct PipeFailure: Error { var code: Int32 }
}

extension ServiceFixture {
  /// The service on this fixture's data directory, for one host.
  public func serve(
    _ providers: [any ImageProvider], geocoder: NominatimGeocoder? = nil, worker: ImagingWorker? = nil,
    over medium: TestService.Medium = .memory, framing: Framing = .lines,
    choice: FramingChoice = .automatic, limits: ConnectionLimits = ConnectionLimits(),
    rights: ConnectionRights = ConnectionRights(), configuration: EngineConfiguration = EngineConfiguration()
  ) throws -> TestService {
    try TestService(medium, framing: framing, limits: limits, rights: rights, choice: choice) { announce in
      try engine(providers, geocoder: geocoder, worker: worker, configuration: configuration, announce: announce)
    }
  }
}

import AtelierProtocol
import CMalloc
import Glibc
import JSONRPC
import Logging
import MCP
import POSIX
import Server
import Store
import Synchronization

/// Serves the protocol on the standard streams.
struct StdioService {
  var common = CommonSettings()
  var serve = ServeSettings()

  /// For a person who started it at a terminal, where it would wait in silence.
  private static let invitation =
    "Waiting for JSON-RPC requests, one in each line. `atelier --help` lists the commands for people; Ctrl-D ends.\n"

  func run() async throws {
    if isatty(STDIN_FILENO) == 1 { Console.error("atelier: " + Self.invitation) }
    // Photos take megabytes: freed memory is returned to the system, so that an idle service stays small.
    mallopt(M_TRIM_THRESHOLD, 64 << 10)
    let transport = try StdioTransport.takingStandardStreams()
    let logger = StandardErrorLog.logger(common)
    let assembly = try await EngineAssembly(common)
    let trace = try serve.trace.map { path in
      do {
        return try WireTrace(path: path, vocabulary: ProtocolDocument.traceVocabulary())
      } catch {
        throw CommandFailure(sentence: "The trace file cannot be written. \(error)")
      }
    }
    let leaving = ProcessExit()
    let storeFailure = Mutex<StoreError?>(nil)
    let host = HostConnection(
      transport: transport, framing: serve.framing, limits: serve.limits, rights: serve.rights, trace: trace, logger: logger,
      makeEngine: { announce in
        assembly.engine(storeOpened: { Self.note($0, in: storeFailure, logger) }, announce: announce)
      },
      exit: { status in await leaving.leave(status: status) })
    leaving.prepare { await host.abandon(milliseconds: 1000) }
    try Self.endOnSignals(host.stop) { host.exitStatus }
    let parentWatch = serve.watchParent ? try ProcessWatch.parent { host.stop(.hostDied) } : nil
    let end = await host.run()
    parentWatch?.stop()
    await trace?.finish()
    logger.debug("The connection has ended", metadata: ["reason": "\(end)"])
    Glibc.exit(storeFailure.withLock { $0 } == nil ? host.exitStatus : CommandFailure.dataDirectoryUnusable)
  }

  private static func note(_ failure: StoreError?, in latest: borrowing Mutex<StoreError?>, _ logger: Logger) {
    // Each request tries to open it; the log has the reason once.
    let isNews = latest.withLock { last in
      defer { last = failure }
      return last != failure
    }
    if isNews, let failure { logger.error("\(failure.sentence)") }
  }

  /// Ends the host's connection when the process is asked to end.
  private static func endOnSignals(
    _ stop: @escaping @Sendable (ConnectionEnd) -> Void, status: @escaping @Sendable () -> Int32
  ) throws {
    try TerminationSignals.watch { _ in
      // Abandons anything that blocks then, such as a host that does not read: two seconds are promised.
      try? TerminationSignals.endProcess(inMilliseconds: 1900, status: status())
      stop(.terminated(within: .milliseconds(1500)))
    }
  }
}

extension StdioService {
  /// Serves MCP instead. An unusable data directory is reported by the tools.
  func serveMCP(_ settings: MCPSettings) async throws {
    mallopt(M_TRIM_THRESHOLD, 64 << 10)
    let transport = try StdioTransport.takingStandardStreams()
    let logger = StandardErrorLog.logger(common)
    let assembly = try await EngineAssembly(common)
    var settings = settings
    settings.home = Environment.value(of: "HOME")
    // Relative paths of hosts begin there.
    settings.workingDirectory = try ForeignText.workingDirectory() ?? settings.workingDirectory
    let storeFailure = Mutex<StoreError?>(nil)
    let host = MCPHost(transport: transport, limits: serve.limits, settings: settings) { announce in
      assembly.engine(storeOpened: { Self.note($0, in: storeFailure, logger) }, announce: announce)
    }
    try Self.endOnSignals(host.stop) { 0 }
    _ = await host.run()
    Glibc.exit(storeFailure.withLock { $0 } == nil ? 0 : CommandFailure.dataDirectoryUnusable)
  }
}

/// The steps between the `exit` notification and the end of the process.
final class ProcessExit: Sendable {
  private let settle = Mutex<(@Sendable () async -> Void)?>(nil)

  /// - Parameter settle: settles running work and writes unwritten data, within a second.
  func prepare(_ settle: @escaping @Sendable () async -> Void) {
    self.settle.withLock { $0 = settle }
  }

  /// Ends the process.
  func leave(status: Int32) async {
    await settle.withLock { $0 }?()
    Glibc.exit(status)
  }
}

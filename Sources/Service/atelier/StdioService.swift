import AtelierProtocol
import CProcess
import Glibc
import Identities
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
    let output = try ServiceOutput()
    let transport = output.transport
    let logger = StandardErrorLog.logger(common)
    let assembly = try await EngineAssembly(common)
    for fault in await IdentityVerifier.faultsOfFiles(of: assembly.configuration.issuers) { logger.warning("\(fault)") }
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
      exit: { status in await leaving.leave { output.status(status) } })
    leaving.prepare { await host.abandon(milliseconds: 1000) }
    try Self.endOnSignals(host.stop) { host.exitStatus }
    let parentWatch = serve.watchParent ? try ProcessWatch.parent { host.stop(.hostDied) } : nil
    let end = await host.run()
    parentWatch?.stop()
    await trace?.finish()
    logger.debug("The connection has ended", metadata: ["reason": "\(end)"])
    Glibc.exit(output.status(storeFailure.withLock { $0 } == nil ? host.exitStatus : CommandFailure.dataDirectoryUnusable))
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
  /// - Parameter watchingParent: whether the death of the parent process ends the service: hosts start several servers,
  ///   and one that inherited this input would keep it open.
  func serveMCP(_ settings: MCPSettings, watchingParent: Bool = true) async throws {
    mallopt(M_TRIM_THRESHOLD, 64 << 10)
    let output = try ServiceOutput()
    let logger = StandardErrorLog.logger(common)
    let assembly = try await EngineAssembly(common)
    var settings = settings
    settings.home = Environment.value(of: "HOME")
    settings.account = await assembly.presentAccount(of: settings.account)
    // Relative paths of hosts begin there.
    settings.workingDirectory = try ForeignText.workingDirectory() ?? settings.workingDirectory
    let storeFailure = Mutex<StoreError?>(nil)
    let host = MCPHost(transport: output.transport, limits: serve.limits, settings: settings) { announce in
      assembly.engine(storeOpened: { Self.note($0, in: storeFailure, logger) }, announce: announce)
    }
    try Self.endOnSignals(host.stop) { 0 }
    let parentWatch = watchingParent ? Self.parentWatch(logger) { host.stop(.hostDied) } : nil
    _ = await host.run()
    parentWatch?.stop()
    Glibc.exit(output.status(storeFailure.withLock { $0 } == nil ? 0 : CommandFailure.dataDirectoryUnusable))
  }
}

extension StdioService {
  /// Watches the parent where that is possible: nobody has asked for it, and the end of the input ends the service too.
  private static func parentWatch(_ logger: Logger, died: @escaping @Sendable () -> Void) -> ProcessWatch? {
    do {
      return try ProcessWatch.parent(died: died)
    } catch {
      logger.info(
        "The parent process cannot be watched: the end of the input ends the service", metadata: ["reason": "\(error)"])
      return nil
    }
  }
}

/// The steps between the `exit` notification and the end of the process.
final class ProcessExit: Sendable {
  private let finish = Mutex<(@Sendable () async -> Void)?>(nil)

  /// - Parameter finish: finishes running work and writes unwritten data, within a second.
  func prepare(_ finish: @escaping @Sendable () async -> Void) {
    self.finish.withLock { $0 = finish }
  }

  /// Ends the process with the status that `status` returns once everything is finished.
  func leave(_ status: () -> Int32) async {
    await finish.withLock { $0 }?()
    Glibc.exit(status())
  }
}

/// The output of a service, and whether all of it was written.
struct ServiceOutput {
  let transport: StdioTransport
  /// A host that leaves ends the conversation in order; one that was never there has not begun any.
  private let hadReader: Bool

  /// Takes the standard streams; to be called once, before anything opens a file.
  init() throws(SystemError) {
    transport = try StdioTransport.takingStandardStreams()
    hadReader = transport.hasReader
  }

  /// The exit status: 1 instead of 0 if the output could not be written, which is told unless the reader has left.
  func status(_ status: Int32) -> Int32 {
    if let failure = transport.writeFailure, !failure.isReaderGone {
      Console.error("atelier: \(failure)\n")
    } else if hadReader {
      return status
    }
    return max(status, 1)
  }
}
